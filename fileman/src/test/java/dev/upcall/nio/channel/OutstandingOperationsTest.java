package dev.upcall.nio.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallSnapshot;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreInfo;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Thousands of operations of asynchronous channels at once: no thread waits for each of them. */
class OutstandingOperationsTest {
  private static final UpcallConfig SMALL = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20);
  private static final Set<OpenOption> BOTH =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  private static final int MANY = 3000;
  private static final int PIECE = 1000;

  @TempDir Path folder;

  /** Holds the store's thread until it is closed. */
  private record Held(CountDownLatch release) implements AutoCloseable {
    static Held hold(Upcall store) throws InterruptedException {
      Held held = new Held(new CountDownLatch(1));
      CountDownLatch begun = new CountDownLatch(1);
      store
          .fsm()
          .execute(
              () -> {
                begun.countDown();
                try {
                  held.release.await();
                } catch (InterruptedException interrupted) {
                  throw new AssertionError(interrupted);
                }
              });
      begun.await();
      return held;
    }

    @Override
    public void close() {
      release.countDown();
    }
  }

  private Path volumeWith(byte[] content) throws IOException {
    Path volume = folder.resolve("s.upcall");
    try (Upcall store = Upcall.create(volume, SMALL)) {
      Files.write(store.fileSystem().getPath("/f"), content);
    }
    return volume;
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(11).nextBytes(content);
    return content;
  }

  /** Virtual threads that there are, those that are parked too. */
  private int virtualThreads(String name) throws IOException {
    Path dump = folder.resolve(name);
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
    return Files.readString(dump).split("upcall-nio", -1).length - 1;
  }

  @Test
  void whatIsOutstandingHasNoThread() throws Exception {
    byte[] content = random(MANY * PIECE);
    int before = virtualThreads("before.json"); // of stores that are gone, not yet ended
    try (Upcall store = Upcall.open(volumeWith(content), SMALL)) {
      Path file = store.fileSystem().getPath("/f");
      Path other = store.fileSystem(Durability.SYNC).getPath("/other");
      try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, BOTH, null);
          AsynchronousFileChannel durable = AsynchronousFileChannel.open(other, BOTH, null)) {
        List<ByteBuffer> read = new ArrayList<>();
        List<Future<Integer>> all = new ArrayList<>();
        try (Held _ = Held.hold(store)) {
          for (int i = 0; i < MANY; i++) {
            ByteBuffer into = ByteBuffer.allocate(PIECE);
            read.add(into);
            all.add(channel.read(into, (long) PIECE * i));
          }
          for (int i = 0; i < MANY; i++) {
            ByteBuffer from = ByteBuffer.wrap(content, PIECE * i, PIECE);
            all.add(durable.write(from, (long) PIECE * i));
          }
          assertEquals(
              0, all.stream().filter(Future::isDone).count(), "the store's thread is held");
          int threads = virtualThreads("held.json");
          assertTrue(threads >= 1 && threads - before < 10, threads + " threads, before " + before);
        }
        for (Future<Integer> each : all) {
          assertEquals(PIECE, each.get());
        }
        for (int i = 0; i < MANY; i++) {
          byte[] expected = Arrays.copyOfRange(content, PIECE * i, PIECE * (i + 1));
          assertArrayEquals(expected, read.get(i).array(), "read " + i);
        }
        assertArrayEquals(content, Files.readAllBytes(other));
      }
    }
  }

  @Test
  void readsLargerThanMemoryWaitForRoom() throws Exception {
    byte[] content = random(24 << 20);
    try (Upcall store = Upcall.open(volumeWith(content), SMALL)) {
      Path file = store.fileSystem().getPath("/f");
      int piece = 1 << 20;
      List<ByteBuffer> read = new ArrayList<>();
      List<Future<Integer>> all = new ArrayList<>();
      try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, BOTH, null)) {
        for (int i = 0; i < 200; i++) {
          ByteBuffer into = ByteBuffer.allocateDirect(piece);
          read.add(into);
          all.add(channel.read(into, (long) piece * (i % 24)));
        }
        for (int i = 0; i < all.size(); i++) {
          assertEquals(piece, all.get(i).get());
          ByteBuffer expected = ByteBuffer.wrap(content, piece * (i % 24), piece);
          assertEquals(expected, read.get(i).flip(), "read " + i);
        }
      }
    }
  }

  @Test
  void durableWritesThatCameTogetherShareCommits() throws Exception {
    try (Upcall store = Upcall.create(folder.resolve("s.upcall"), SMALL)) {
      Path file = store.fileSystem(Durability.SYNC).getPath("/f");
      try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, BOTH, null)) {
        long before = store.info().scn();
        List<Future<Integer>> all = new ArrayList<>();
        Future<Integer> refused;
        try (Held _ = Held.hold(store)) {
          for (int i = 0; i < 400; i++) {
            all.add(channel.write(ByteBuffer.allocateDirect(100).put(0, (byte) i), 200L * i));
          }
          refused = channel.write(ByteBuffer.allocate(10), Long.MAX_VALUE - 20);
          for (int i = 400; i < 500; i++) {
            all.add(channel.write(ByteBuffer.wrap(new byte[] {(byte) i}), 200L * i));
          }
        }
        for (int i = 0; i < all.size(); i++) {
          assertEquals(i < 400 ? 100 : 1, all.get(i).get());
        }
        StoreInfo after = store.info();
        assertTrue(after.durableScn() >= after.scn(), after::toString);
        assertTrue(after.scn() - before < 300, after.scn() - before + " commits");
        assertInstanceOf(
            IOException.class, assertThrows(ExecutionException.class, refused::get).getCause());
        byte[] bytes = store.readAllBytes("/f");
        assertEquals(499 * 200 + 1, bytes.length);
        for (int i = 0; i < 500; i++) {
          assertEquals((byte) i, bytes[200 * i], "write " + i);
        }
      }
    }
  }

  /** Counts how often, and with what, a handler is called. */
  private record Ends(AtomicInteger done, AtomicInteger closed, CountDownLatch all)
      implements CompletionHandler<Integer, Void> {
    @Override
    public void completed(Integer count, Void nothing) {
      done.incrementAndGet();
      all.countDown();
    }

    @Override
    public void failed(Throwable failure, Void nothing) {
      if (failure instanceof AsynchronousCloseException) {
        closed.incrementAndGet();
      }
      all.countDown();
    }
  }

  @Test
  void closingEndsEachOfThemOnceThoughTheStoreDoesNotAnswer() throws Exception {
    byte[] content = random(MANY * PIECE);
    Path volume = volumeWith(content);
    Ends ends = new Ends(new AtomicInteger(), new AtomicInteger(), new CountDownLatch(2 * MANY));
    try (Upcall store = Upcall.open(volume, SMALL);
        ExecutorService closer = Executors.newSingleThreadExecutor()) {
      FileSystem system = store.fileSystem(Durability.SYNC);
      AsynchronousFileChannel channel =
          AsynchronousFileChannel.open(system.getPath("/f"), BOTH, null);
      Future<?> closed;
      try (Held _ = Held.hold(store)) {
        for (int i = 0; i < MANY; i++) {
          channel.read(ByteBuffer.allocate(PIECE), (long) PIECE * i, null, ends);
          channel.write(ByteBuffer.allocate(PIECE), (long) PIECE * i, null, ends);
        }
        closed =
            closer.submit(
                () -> {
                  channel.close();
                  return null;
                });
        ends.all.await();
        assertEquals(2 * MANY, ends.closed.get());
        assertEquals(0, ends.done.get());
      }
      closed.get();
    }
    try (Upcall again = Upcall.open(volume, SMALL)) {
      // One commit had begun, with all the writes that had come by then: 1 MiB of them at most.
      byte[] left = again.readAllBytes("/f");
      int notBegun = MANY / 2 * PIECE;
      assertEquals(
          -1, Arrays.mismatch(content, notBegun, content.length, left, notBegun, left.length));
    }
    assertEquals(2 * MANY, ends.closed.get(), "each was told once");
  }

  @Test
  void theStoreClosesWithReadsOutstanding() throws Exception {
    Path volume = volumeWith(random(MANY * PIECE));
    List<Future<Integer>> all = new ArrayList<>();
    try (Upcall store = Upcall.open(volume, SMALL)) {
      Path file = store.fileSystem().getPath("/f");
      AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, BOTH, null);
      for (int i = 0; i < MANY; i++) {
        all.add(channel.read(ByteBuffer.allocate(PIECE), (long) PIECE * i));
      }
    }
    for (Future<Integer> each : all) {
      try {
        assertEquals(PIECE, each.get());
      } catch (ExecutionException closed) {
        assertInstanceOf(AsynchronousCloseException.class, closed.getCause());
      }
    }
  }

  @Test
  void filesOfASnapshotAreReadToo() throws Exception {
    byte[] content = random(100 * PIECE);
    try (Upcall store = Upcall.open(volumeWith(content), SMALL);
        UpcallSnapshot snapshot = store.fsm().snapshot();
        AsynchronousFileChannel channel =
            AsynchronousFileChannel.open(snapshot.fileSystem().getPath("/f"))) {
      List<ByteBuffer> read = new ArrayList<>();
      List<Future<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        ByteBuffer into = ByteBuffer.allocate(PIECE);
        read.add(into);
        all.add(channel.read(into, (long) PIECE * i));
      }
      for (int i = 0; i < 100; i++) {
        assertEquals(PIECE, all.get(i).get());
        byte[] expected = Arrays.copyOfRange(content, PIECE * i, PIECE * (i + 1));
        assertArrayEquals(expected, read.get(i).array(), "read " + i);
      }
    }
  }

  // ------------------------------------------------------------------ a model

  @ParameterizedTest
  @EachEngine({"1", "2", "3"})
  void whatHasEndedIsSeenByAllAndWhatIsOutstandingDoesNotMix(Engine engine, long seed)
      throws Exception {
    Random random = new Random(seed);
    byte[] model = new byte[1 << 20];
    int size = 0;
    try (Upcall store = Upcall.create(folder.resolve("s.upcall"), SMALL.withEngine(engine))) {
      Path path = store.fileSystem().getPath("/f");
      Path strict = store.fileSystem(Durability.SYNC).getPath("/f");
      try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(path, BOTH, null);
          AsynchronousFileChannel durable = AsynchronousFileChannel.open(strict, BOTH, null);
          FileChannel waits = FileChannel.open(path, BOTH)) {
        for (int step = 0; step < 250; step++) {
          String where = "seed " + seed + ", step " + step;
          switch (random.nextInt(10)) {
            case 0 -> {
              size -= random.nextInt(size / 8 + 1);
              channel.truncate(size);
              Arrays.fill(model, size, model.length, (byte) 0);
            }
            case 1 -> waits.force(false);
            case 2 -> {
              byte[] written = bytes(random, 2000);
              int offset = random.nextInt(size + 1);
              waits.write(ByteBuffer.wrap(written), offset);
              System.arraycopy(written, 0, model, offset, written.length);
              size = Math.max(size, offset + written.length);
            }
            case 3, 4, 5 -> {
              AsynchronousFileChannel either = random.nextInt(4) == 0 ? durable : channel;
              List<Future<Integer>> all = new ArrayList<>();
              int offset = random.nextInt(Math.min(size + 5000, 900_000)); // a hole now and then
              for (int i = random.nextInt(12); i >= 0; i--) {
                byte[] written = bytes(random, 3000);
                all.add(either.write(ByteBuffer.wrap(written), offset));
                System.arraycopy(written, 0, model, offset, written.length);
                size = Math.max(size, offset + written.length);
                offset += written.length + (random.nextBoolean() ? 0 : random.nextInt(3000));
              }
              for (Future<Integer> each : all) {
                assertTrue(each.get() > 0, where);
              }
            }
            default -> {
              List<ByteBuffer> read = new ArrayList<>();
              List<Integer> offsets = new ArrayList<>();
              List<Future<Integer>> all = new ArrayList<>();
              for (int i = random.nextInt(5); i >= 0; i--) {
                int offset = random.nextInt(size + 100);
                ByteBuffer into = ByteBuffer.allocate(1 + random.nextInt(20_000));
                offsets.add(offset);
                read.add(into);
                all.add(channel.read(into, offset));
              }
              for (int i = 0; i < all.size(); i++) {
                int offset = offsets.get(i);
                byte[] into = read.get(i).array();
                int expected = Math.min(size - offset, into.length);
                assertEquals(expected <= 0 ? -1 : expected, all.get(i).get(), where);
                if (expected > 0) {
                  assertArrayEquals(
                      Arrays.copyOfRange(model, offset, offset + expected),
                      Arrays.copyOf(into, expected),
                      where);
                }
              }
            }
          }
        }
      }
      assertArrayEquals(Arrays.copyOf(model, size), store.readAllBytes("/f"), "seed " + seed);
    }
  }

  private static byte[] bytes(Random random, int most) {
    byte[] bytes = new byte[1 + random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }
}
