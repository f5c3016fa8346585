package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Checksums;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Store;
import dev.upcall.txn.volume.SuperblockCodec;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Superblocks with a right checksum and fields that no store has written. Such a volume is refused
 * as corrupt and left as it was, or it works.
 */
class HostileSuperblockTest {
  private static final int CRC_AT = 4;
  private static final int COVERED_FROM = 8;
  private static final int FIELDS_END = 128;
  private static final int ROOTS = 8;
  private static final int ROOT_BYTES = 64;
  private static final long[] VALUES = {
    0,
    1,
    2,
    3,
    15,
    63,
    64,
    4095,
    4096,
    1L << 20,
    1L << 31,
    1L << 32,
    1L << 44,
    1L << 61,
    Long.MAX_VALUE / 4096,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    -1,
    -2,
    -4096
  };

  private final DiskImage image = RefusedVolumeTest.image(1);
  private final VolumeLayout layout = StoreFixture.tinyLayout();
  private final List<String> refused = new ArrayList<>();
  private final List<String> opened = new ArrayList<>();
  private final List<String> broken = new ArrayList<>();

  /** Of volumes that were judged: many a field with many a value is the same one again. */
  private final Set<ByteBuffer> judged = new HashSet<>();

  @Test
  void eachFieldWithEachValue() {
    for (int at = COVERED_FROM; at < FIELDS_END + ROOTS * ROOT_BYTES; at += Integer.BYTES) {
      for (long value : VALUES) {
        judge(at, Integer.BYTES, value);
        if (at % Long.BYTES == 0) {
          judge(at, Long.BYTES, value);
        }
      }
    }
    assertEquals(List.of(), broken);
    assertTrue(refused.size() > 500, refused.size() + " refused");
    assertTrue(opened.size() > 100, opened.size() + " opened");
  }

  /** A little more or less than what is there. */
  @ParameterizedTest
  @ValueSource(longs = {-4096, -64, -2, -1, 1, 2, 64, 4096})
  void eachFieldWithALittleMoreOrLess(long difference) {
    for (int at = COVERED_FROM; at < FIELDS_END + ROOTS * ROOT_BYTES; at += Integer.BYTES) {
      ByteBuffer first = block(image, 0);
      judge(at, Integer.BYTES, first.getInt(at) + difference);
      if (at % Long.BYTES == 0) {
        judge(at, Long.BYTES, first.getLong(at) + difference);
      }
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void fieldsAtRandom() {
    SplittableRandom random = new SplittableRandom(14);
    for (int i = 0; i < 700; i++) {
      int at = random.nextInt(COVERED_FROM, FIELDS_END + ROOTS * ROOT_BYTES) & -Short.BYTES;
      judge(at, Short.BYTES << random.nextInt(2), random.nextLong());
    }
    assertEquals(List.of(), broken);
  }

  /** One copy alone, whatever is in it, leaves the others, which hold the same. */
  @Test
  void theOtherCopiesAreTaken() {
    for (int at = 24; at < FIELDS_END + ROOTS * ROOT_BYTES; at += Long.BYTES) {
      DiskImage damaged = image.fork();
      change(damaged, 0, at, Long.BYTES, Long.MIN_VALUE);
      if (SuperblockCodec.decode(block(damaged, 0), 0) instanceof SuperblockCodec.Found.Damaged) {
        assertTrue(works(damaged, "copy 0 at " + at), "refused for copy 0 at " + at);
      }
    }
  }

  /** The same in all four copies, as a fuzzer does that knows the form. */
  private void judge(int at, int bytes, long value) {
    DiskImage damaged = image.fork();
    for (int copy = 0; copy < VolumeLayout.SUPERBLOCK_COPIES; copy++) {
      change(damaged, copy, at, bytes, value);
    }
    byte[] fields =
        Arrays.copyOf(damaged.read(layout.superblock(0)), FIELDS_END + ROOTS * ROOT_BYTES);
    if (!judged.add(ByteBuffer.wrap(fields))) {
      return;
    }
    String what = "%d bytes at %d are %d".formatted(bytes, at, value);
    try {
      (works(damaged, what) ? opened : refused).add(what);
    } catch (AssertionError e) {
      broken.add(e.getMessage());
    }
  }

  private void change(DiskImage damaged, int copy, int at, int bytes, long value) {
    ByteBuffer block = block(damaged, copy);
    switch (bytes) {
      case Short.BYTES -> block.putShort(at, (short) value);
      case Integer.BYTES -> block.putInt(at, (int) value);
      default -> block.putLong(at, value);
    }
    block.putInt(CRC_AT, Checksums.crc32c(block, COVERED_FROM, Disk.BLOCK_BYTES - COVERED_FROM));
    damaged.put(layout.superblock(copy), block.array());
  }

  private ByteBuffer block(DiskImage from, int copy) {
    return ByteBuffer.wrap(from.read(layout.superblock(copy)).clone())
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Opens it, works with it and closes it; whether that was possible. */
  private boolean works(DiskImage damaged, String what) {
    long before = damaged.digest();
    SimWorld world =
        SimWorld.ofBlocks(8, 400).closesUnchecked("damaged on purpose").reopen(damaged);
    try {
      Completion<Store> completion =
          world.await(
              port ->
                  Stores.open(world.dispatcher(), world.disk(), StoreFixture.tinyOptions(8), port));
      if (completion instanceof Completion.Failed<Store>(Failure failure)) {
        assertTrue(
            failure instanceof Failure.Corrupt || failure instanceof Failure.Invalid,
            failure::toString);
        world.runUntilIdle();
        assertEquals(before, world.disk().contents().digest(), "changed what it refused");
        return false;
      }
      use(world, assertInstanceOf(Completion.Done.class, completion));
      return true;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(what + ": " + e, e);
    }
  }

  @SuppressWarnings("unchecked")
  private static void use(SimWorld world, Completion.Done<?> done) {
    Store store = ((Completion.Done<Store>) done).value();
    StoreFixture files = StoreFixture.of(world, store);
    boolean whole =
        world.<VerifyReport>await(
                    port -> store.verify(new VerifyOptions(true), (of, all) -> true, port))
                instanceof Completion.Done<VerifyReport>(VerifyReport report)
            && report.problems().isEmpty();
    for (int id = 70; id < 73; id++) {
      files.put(id, new byte[id * 200]);
    }
    files.remove(25);
    Completion<Long> made =
        world.await(
            port ->
                store.change(
                    (view, out) -> {
                      long id = out.newSegmentId();
                      out.putInode(StoreFixture.file(id));
                      return Completion.done(id);
                    },
                    Durability.SYNC,
                    port));
    assertNotNull(made);
    if (whole) {
      assertArrayEquals(new byte[72 * 200], files.read(72));
    }
    world.<Unit>await(store::checkpoint);
    world.<Unit>await(store::close);
    world.runUntilIdle();
  }
}
