package dev.upcall.buffer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.io.Disk;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Copies without a pin are of the content that was asked for, or they do not count. */
class SharedFramesTest {
  private static final int BLOCKS = 256;
  private static final int READERS = 3;
  private static final int ROUNDS = 60;

  private final BufferWorld world = new BufferWorld(7, 4, BLOCKS);
  private final SharedFrames shared = world.buffers.shared();

  private byte[] copy(int first, int blocks) {
    byte[] bytes = new byte[blocks * Disk.BLOCK_BYTES];
    return shared.copy(world.run(first, blocks), 0, ByteBuffer.wrap(bytes), 0, bytes.length)
        ? bytes
        : new byte[0];
  }

  private byte[] expected(int first, int blocks) {
    byte[] bytes = new byte[blocks * Disk.BLOCK_BYTES];
    for (int i = 0; i < blocks; i++) {
      byte[] block = BufferWorld.content(first + i, world.version(first + i));
      System.arraycopy(block, 0, bytes, i * Disk.BLOCK_BYTES, block.length);
    }
    return bytes;
  }

  @Test
  void nothingIsSharedThatNobodyWants() {
    world.readAndRelease(0, 16);
    world.readAndRelease(0, 16);
    assertEquals(0, shared.size());
    shared.wanted();
    assertEquals(0, copy(0, 16).length);
    world.readAndRelease(0, 16);
    assertArrayEquals(expected(0, 16), copy(0, 16));
    assertEquals(16, shared.size());
  }

  @Test
  void aRunMayGoOverSeveralFramesAndEndInsideOfOne() {
    shared.wanted();
    world.readAndRelease(0, 40);
    assertArrayEquals(expected(0, 40), copy(0, 40));
    byte[] part = new byte[Disk.BLOCK_BYTES * 17 + 5];
    assertTrue(shared.copy(world.run(0, 40), 0, ByteBuffer.wrap(part), 2, part.length - 2));
    assertArrayEquals(
        Arrays.copyOf(expected(0, 40), part.length - 2), Arrays.copyOfRange(part, 2, part.length));
    assertArrayEquals(expected(5, 30), copy(5, 30), "from the middle of a frame on");
    assertTrue(shared.copy(world.run(3, 20), 100, ByteBuffer.wrap(part), 7, 60_000));
    assertArrayEquals(
        Arrays.copyOfRange(expected(3, 20), 100, 60_100),
        Arrays.copyOfRange(part, 7, 60_007),
        "from the middle of a block, over the end of a frame, to the middle of another");
    assertEquals(0, copy(0, 56).length, "only a part of it is there");
  }

  @Test
  void whatWasForgottenIsNotFound() {
    shared.wanted();
    world.readAndRelease(0, 16);
    world.buffers.forget(new Extent(3, 1));
    assertEquals(0, copy(0, 16).length);
    assertEquals(0, shared.size());
  }

  @Test
  void whatIsForgottenWhileSomebodyHasItIsNotFound() {
    shared.wanted();
    List<Lease> leases = world.read(0, 16);
    world.buffers.forget(new Extent(0, 16));
    assertEquals(0, copy(0, 16).length);
    BufferWorld.release(leases);
  }

  @Test
  void blocksThatAreAnotherContentNowAreNotFoundUnderTheOldChecksums() {
    shared.wanted();
    world.readAndRelease(0, 2);
    BlockRun before = world.run(0, 2);
    world.buffers.forget(new Extent(0, 2));
    world.write(1, 1);
    world.readAndRelease(0, 2);
    assertArrayEquals(expected(0, 2), copy(0, 2));
    byte[] bytes = new byte[2 * Disk.BLOCK_BYTES];
    assertFalse(shared.copy(before, 0, ByteBuffer.wrap(bytes), 0, bytes.length));
    assertTrue(shared.copy(before, 0, ByteBuffer.wrap(bytes), 0, 0), "no bytes are any content's");
  }

  @Test
  void whereAContentWasFoundItIsUntilItIsLetGo() {
    shared.wanted();
    world.readAndRelease(0, 40);
    BlockRun run = world.run(3, 5);
    FoundBytes found = shared.find(run);
    assertNotNull(found);
    byte[] bytes = new byte[2 * Disk.BLOCK_BYTES];
    int from = found.fromByte() + Disk.BLOCK_BYTES;
    assertTrue(found.memory().copy(from, ByteBuffer.wrap(bytes), 0, bytes.length));
    assertArrayEquals(expected(4, 2), bytes);
    assertNull(shared.find(world.run(14, 4)), "it is in two frames");
    assertNull(shared.find(world.run(60, 1)), "it is in none");
    world.buffers.forget(new Extent(0, 1));
    assertFalse(found.memory().copy(from, ByteBuffer.wrap(bytes), 0, bytes.length));
    world.write(3, 1);
    world.readAndRelease(0, 16);
    assertNull(shared.find(run), "it is another content by now");
  }

  @Test
  void whatIsEvictedIsNotFound() {
    shared.wanted();
    for (int first = 0; first < BLOCKS; first += 16) {
      world.readAndRelease(first, 16);
    }
    int found = 0;
    for (int first = 0; first < BLOCKS; first += 16) {
      byte[] bytes = copy(first, 16);
      if (bytes.length > 0) {
        assertArrayEquals(expected(first, 16), bytes);
        found++;
      }
    }
    assertEquals(shared.size(), 16 * found);
    assertTrue(found > 0 && found <= 4, "frames found: " + found);
  }

  @Test
  void whatOthersReadStaysWhileAScanPasses() {
    shared.wanted();
    world.readAndRelease(0, 16);
    for (int first = 16; first < BLOCKS; first += 16) {
      assertArrayEquals(expected(0, 16), copy(0, 16), "gone before " + first);
      world.readAndRelease(first, 16);
    }
  }

  @Test
  void aCopyDoesNotCountWhoseMemoryWasLetGo() {
    shared.wanted();
    List<Lease> leases = world.read(0, 1);
    Lease lease = leases.getFirst();
    byte[] bytes = new byte[Disk.BLOCK_BYTES];
    assertTrue(lease.copy(0, ByteBuffer.wrap(bytes), 0, bytes.length));
    assertArrayEquals(expected(0, 1), bytes);
    SharedFrame frame = ((FrameLease) lease).frame.shared();
    assertNotNull(frame);
    BufferWorld.release(leases);
    assertFalse(lease.copy(0, ByteBuffer.wrap(bytes), 0, bytes.length));
    assertTrue(frame.copyUnpinned(0, ByteBuffer.wrap(bytes), 0, bytes.length));
    world.buffers.forget(new Extent(0, 1));
    assertFalse(frame.copyUnpinned(0, ByteBuffer.wrap(bytes), 0, bytes.length));
  }

  /**
   * The owner reads everything in turn into memory for a quarter of it; others copy what is there.
   */
  @Test
  void copiesBesideEvictionsAreRightOrDoNotCount() throws Exception {
    shared.wanted();
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService readers = Executors.newCachedThreadPool()) {
      List<Future<Long>> copied = new ArrayList<>();
      CountDownLatch successful = new CountDownLatch(READERS);
      for (int i = 0; i < READERS; i++) {
        copied.add(readers.submit(copyUntil(over, successful)));
      }
      try {
        for (int round = 0; round < ROUNDS || successful.getCount() > 0; round++) {
          for (int first = 0; first < BLOCKS; first += 16) {
            world.readAndRelease(first, 16);
          }
        }
      } finally {
        over.set(true);
      }
      for (Future<Long> each : copied) {
        assertTrue(each.get() > 0, "nothing was copied");
      }
    }
  }

  private Callable<Long> copyUntil(AtomicBoolean over, CountDownLatch successful) {
    List<byte[]> wanted = new ArrayList<>();
    List<BlockRun> runs = new ArrayList<>();
    for (int first = 0; first < BLOCKS; first += 16) {
      wanted.add(expected(first, 16));
      runs.add(world.run(first, 16));
    }
    return () -> {
      long copies = 0;
      byte[] bytes = new byte[16 * Disk.BLOCK_BYTES];
      while (!over.get()) {
        for (int i = 0; i < runs.size(); i++) {
          if (shared.copy(runs.get(i), 0, ByteBuffer.wrap(bytes), 0, bytes.length)) {
            assertArrayEquals(wanted.get(i), bytes);
            if (copies++ == 0) {
              successful.countDown();
            }
          }
        }
      }
      return copies;
    };
  }
}
