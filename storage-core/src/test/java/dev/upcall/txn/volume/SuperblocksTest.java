package dev.upcall.txn.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Checksums;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.log.LogRecovery;
import dev.upcall.txn.log.LogWorkload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SuperblocksTest {
  private static final VolumeLayout LAYOUT = LogWorkload.LAYOUT;

  private static Superblock sequence(long sequence) {
    return sequence(sequence, LAYOUT, LogWorkload.VOLUME_BLOCKS);
  }

  private static Superblock sequence(long sequence, VolumeLayout layout, long volumeBlocks) {
    return of(7, sequence, layout, volumeBlocks);
  }

  private static Superblock of(
      long volumeId, long sequence, VolumeLayout layout, long volumeBlocks) {
    List<StoreRoot> roots =
        List.of(new StoreRoot(1, new byte[32]), new StoreRoot(2, new byte[] {(byte) sequence}));
    return new Superblock(
        volumeId,
        sequence,
        sequence * 100,
        new LogPoint(sequence, sequence, 5, 6),
        roots,
        8,
        9,
        layout,
        volumeBlocks,
        Math.max(400, volumeBlocks),
        10,
        /* features= */ 0);
  }

  private static byte[] bytes(ByteBuffer block) {
    byte[] bytes = new byte[Disk.BLOCK_BYTES];
    block.get(0, bytes);
    return bytes;
  }

  private static DiskImage volume(Superblock superblock) {
    SimWorld world = SimWorld.ofBlocks(1, LogWorkload.VOLUME_BLOCKS);
    write(world, superblock);
    return world.disk().contents().fork();
  }

  private static void write(SimWorld world, Superblock superblock) {
    world.<Unit>get(port -> superblocks(world).write(superblock, port));
  }

  private static Superblocks superblocks(SimWorld world) {
    return new Superblocks(world.dispatcher(), world.disk());
  }

  private static Superblock open(DiskImage image) {
    SimWorld world = machine(image);
    return LogRecovery.value(world.await(port -> LogRecovery.open(superblocks(world), port)));
  }

  private static SimWorld machine(DiskImage image) {
    return SimWorld.ofBlocks(2, 64).reopen(image);
  }

  private static Failure refusal(DiskImage image) {
    long before = image.digest();
    SimWorld world = machine(image);
    LogRecovery.Refused refused =
        assertThrows(
            LogRecovery.Refused.class,
            () ->
                LogRecovery.value(
                    world.<Superblock>await(port -> LogRecovery.open(superblocks(world), port))));
    assertEquals(before, world.disk().contents().digest(), "a refused volume was changed");
    return refused.failure();
  }

  @Test
  void whatIsWrittenIsRead() {
    assertEquals(sequence(3), open(volume(sequence(3))));
  }

  /** What became of a copy. */
  private enum CopyDamage {
    FLIPPED,
    ZEROS,
    FOREIGN;

    void apply(DiskImage image, long block) {
      switch (this) {
        case FLIPPED -> image.flipBit(block, 8 * 100);
        case ZEROS -> image.put(block, null);
        case FOREIGN -> {
          byte[] bytes = new byte[Disk.BLOCK_BYTES];
          new SplittableRandom(block).nextBytes(bytes);
          image.put(block, bytes);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anyOneWholeCopyIsEnoughAndRepairsTheOthers(CopyDamage damage) {
    for (int damaged = 0; damaged < 15; damaged++) {
      DiskImage image = volume(sequence(3));
      for (int copy = 0; copy < 4; copy++) {
        if ((damaged & 1 << copy) != 0) {
          damage.apply(image, LAYOUT.superblock(copy));
        }
      }
      SimWorld world = machine(image);
      assertEquals(
          sequence(3),
          world.<Superblock>get(port -> superblocks(world).read(superblock -> null, port)));
      assertEquals(
          sequence(3), world.<Superblock>get(port -> LogRecovery.open(superblocks(world), port)));
      for (int copy = 0; copy < 4; copy++) {
        ByteBuffer block = ByteBuffer.wrap(world.disk().contents().read(LAYOUT.superblock(copy)));
        assertInstanceOf(
            SuperblockCodec.Found.Valid.class,
            SuperblockCodec.decode(block, LAYOUT.superblock(copy)),
            "damaged " + damaged + ", copy " + copy);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {VolumeLayout.MIN_LOG_BLOCKS, 5000, VolumeLayout.MAX_NEW_LOG_BLOCKS})
  void read_frontOverwritten_findsCopiesBehindAnyLogOfANewVolume(int logBlocks) {
    VolumeLayout layout = new VolumeLayout(logBlocks, 4096, 4L * VolumeLayout.MAX_NEW_LOG_BLOCKS);
    Superblock superblock = sequence(3, layout, layout.maxBlocks());
    for (int left = 2; left < 4; left++) {
      DiskImage image = new DiskImage(layout.maxBlocks());
      ByteBuffer copy = SuperblockCodec.encode(superblock, left);
      image.put(layout.superblock(left), bytes(copy));
      byte[] foreign = new byte[Disk.BLOCK_BYTES];
      new SplittableRandom(left).nextBytes(foreign);
      image.put(0, foreign);
      SimWorld world = machine(image);
      assertEquals(
          superblock, world.<Superblock>get(port -> superblocks(world).read(one -> null, port)));
    }
  }

  @Test
  void read_foreignFile_endsBehindTheLargestLogOfANewVolume() {
    SimWorld world = machine(new DiskImage(4L * VolumeLayout.MAX_NEW_LOG_BLOCKS));
    Completion<Superblock> told = world.await(port -> superblocks(world).read(one -> null, port));
    assertInstanceOf(
        Failure.Invalid.class, assertInstanceOf(Completion.Failed.class, told).failure());
    assertTrue(world.disk().requests() < 70, () -> world.disk().requests() + " requests");
  }

  @Test
  void read_frontOverwrittenAndRestNewer_namesTheNewerFormat() {
    DiskImage image = volume(sequence(3));
    for (int copy = 0; copy < 4; copy++) {
      change(image, copy, block -> block.putInt(16, Superblock.FORMAT_VERSION + 1));
    }
    image.put(0, null);
    image.put(1, null);
    Failure.Invalid failure = assertInstanceOf(Failure.Invalid.class, refusal(image));
    assertTrue(failure.message().contains("newer version"), failure.message());
  }

  /** The pieces of the search are large, and a disk refuses a whole piece for one of its blocks. */
  @Test
  void read_oneReadOfTheSearchFails_findsTheCopyAllTheSame() {
    DiskImage image = volume(sequence(3));
    image.put(0, null);
    image.put(1, null);
    SimWorld world = machine(image);
    world.disk().setFaults(FaultPlan.NONE.withFailAt(3));
    assertEquals(
        sequence(3), world.<Superblock>get(port -> superblocks(world).read(one -> null, port)));
  }

  /** They were left behind the log by a store that was on the device before. */
  @Test
  void read_backCopiesOfAnotherVolume_neverWinOverTheFront() {
    Superblock other = of(8, 300, LAYOUT, LogWorkload.VOLUME_BLOCKS);
    for (int front = 1; front < 4; front++) {
      DiskImage image = volume(sequence(3));
      for (int copy = 0; copy < 4; copy++) {
        if (copy >= 2) {
          image.put(LAYOUT.superblock(copy), bytes(SuperblockCodec.encode(other, copy)));
        } else if ((front & 1 << copy) == 0) {
          image.put(copy, null);
        }
      }
      SimWorld world = machine(image);
      assertEquals(
          sequence(3), world.<Superblock>get(port -> LogRecovery.open(superblocks(world), port)));
      for (int copy = 0; copy < 4; copy++) {
        assertInstanceOf(
            SuperblockCodec.Found.Valid.class,
            SuperblockCodec.decode(
                ByteBuffer.wrap(world.disk().contents().read(LAYOUT.superblock(copy))),
                LAYOUT.superblock(copy)));
      }
    }
  }

  /**
   * Whether something else lies in front: not where a copy begins, damaged or not, nor in zeros.
   */
  @ParameterizedTest
  @CsvSource({
    "ZEROS, ZEROS, false",
    "FLIPPED, FLIPPED, false",
    "FLIPPED, FOREIGN, false",
    "FOREIGN, FLIPPED, false",
    "FOREIGN, ZEROS, true",
    "ZEROS, FOREIGN, true",
    "FOREIGN, FOREIGN, true",
  })
  void isFrontForeign_byWhatLiesThere(CopyDamage first, CopyDamage second, boolean foreign) {
    DiskImage image = volume(sequence(3));
    first.apply(image, 0);
    second.apply(image, 1);
    SimWorld world = machine(image);
    Superblocks superblocks = superblocks(world);
    assertEquals(
        sequence(3), world.<Superblock>get(port -> superblocks.read(superblock -> null, port)));
    assertEquals(foreign, superblocks.isFrontForeign());
  }

  @Test
  void isFrontForeign_besideAWholeCopy_neverHolds() {
    for (int copy = 0; copy < 2; copy++) {
      DiskImage image = volume(sequence(3));
      CopyDamage.FOREIGN.apply(image, copy);
      SimWorld world = machine(image);
      Superblocks superblocks = superblocks(world);
      assertEquals(
          sequence(3), world.<Superblock>get(port -> superblocks.read(superblock -> null, port)));
      assertFalse(superblocks.isFrontForeign());
    }
  }

  @Test
  void withoutAWholeCopyTheVolumeIsCorrupt() {
    DiskImage image = volume(sequence(3));
    for (int copy = 0; copy < 4; copy++) {
      image.flipBit(LAYOUT.superblock(copy), 8 * 100);
    }
    String message = assertInstanceOf(Failure.Corrupt.class, refusal(image)).message();
    assertTrue(message.contains("(0 in block 0: checksum "), message);
    assertTrue(message.contains("; 1 in block 1: checksum "), message);
  }

  /** Which copy, in which block, and what in it cannot be so. */
  @Test
  void whatIsDamagedIsNamed() {
    Map<String, Consumer<ByteBuffer>> damages =
        Map.of(
            "format version 0",
            block -> block.putInt(16, 0),
            "log position -5",
            block -> block.putLong(40, -5),
            "33 roots",
            block -> block.putShort(76, (short) 33),
            "the root of tree 2 has 57 bytes",
            block -> block.putInt(128 + 64 + 4, 57),
            "no volume has 7 blocks of log",
            block -> block.putInt(68, 7),
            "%d blocks, with a cap of 3;".formatted(LogWorkload.VOLUME_BLOCKS),
            block -> block.putLong(96, 3));
    damages.forEach(
        (what, damage) -> {
          DiskImage image = volume(sequence(3));
          for (int copy = 0; copy < 4; copy++) {
            change(image, copy, damage);
          }
          String message = assertInstanceOf(Failure.Corrupt.class, refusal(image)).message();
          assertTrue(message.contains("(0 in block 0, 1 in block 1"), message);
          assertTrue(message.contains(": " + what), message);
        });
    DiskImage swapped = volume(sequence(3));
    swapped.put(0, swapped.read(LAYOUT.superblock(1)));
    swapped.put(1, swapped.read(LAYOUT.superblock(2)));
    swapped.put(LAYOUT.superblock(2), null);
    swapped.put(LAYOUT.superblock(3), null);
    String message = assertInstanceOf(Failure.Corrupt.class, refusal(swapped)).message();
    assertTrue(message.contains("0 in block 0: it is copy 1, whose place is block 1"), message);
  }

  private static void change(DiskImage image, int copy, Consumer<ByteBuffer> change) {
    ByteBuffer block =
        ByteBuffer.wrap(image.read(LAYOUT.superblock(copy))).order(ByteOrder.LITTLE_ENDIAN);
    change.accept(block);
    block.putInt(4, Checksums.crc32c(block, 8, Disk.BLOCK_BYTES - 8));
    image.put(LAYOUT.superblock(copy), block.array());
  }

  @Test
  void aCopyThatCannotBeReadMayBeWhole() {
    DiskImage image = volume(sequence(3));
    image.flipBit(LAYOUT.superblock(0), 8 * 100);
    image.flipBit(LAYOUT.superblock(1), 8 * 100);
    SimWorld world = machine(image);
    world.disk().setFaults(FaultPlan.NONE.withErrors(1_000_000, 0, 0));
    Completion<Superblock> told = world.await(port -> superblocks(world).read(one -> null, port));
    assertInstanceOf(
        Failure.Device.class, assertInstanceOf(Completion.Failed.class, told).failure());
  }

  @Test
  void everyBitOfACopyIsGuarded() {
    ByteBuffer block = SuperblockCodec.encode(sequence(3), 1);
    for (int bit = 0; bit < 8 * Disk.BLOCK_BYTES; bit += 7) {
      ByteBuffer damaged = Disk.newBuffer(Disk.BLOCK_BYTES).put(0, block, 0, Disk.BLOCK_BYTES);
      damaged.put(bit / 8, (byte) (damaged.get(bit / 8) ^ 1 << bit % 8));
      assertTrue(
          !(SuperblockCodec.decode(damaged, 1) instanceof SuperblockCodec.Found.Valid),
          "bit " + bit);
    }
    assertInstanceOf(
        SuperblockCodec.Found.Damaged.class, SuperblockCodec.decode(block, 0), "misdirected");
  }

  @Test
  void otherFilesAreNotVolumes() {
    DiskImage text = new DiskImage(64);
    for (int block = 0; block < 64; block++) {
      byte[] bytes = new byte[Disk.BLOCK_BYTES];
      new SplittableRandom(block).nextBytes(bytes);
      text.put(block, bytes);
    }
    for (DiskImage image : List.of(new DiskImage(0), new DiskImage(1), new DiskImage(64), text)) {
      Failure.Invalid failure = assertInstanceOf(Failure.Invalid.class, refusal(image));
      assertTrue(failure.message().contains("not an Upcall volume"), failure.message());
    }
  }

  @Test
  void aNewerFormatIsNamed() {
    DiskImage image = volume(sequence(3));
    for (int copy = 0; copy < 4; copy++) {
      change(image, copy, block -> block.putInt(16, Superblock.FORMAT_VERSION + 1));
    }
    Failure.Invalid failure = assertInstanceOf(Failure.Invalid.class, refusal(image));
    assertTrue(failure.message().contains("newer version"), failure.message());
  }

  @Test
  void unknownFeaturesAreNamed() {
    DiskImage image = volume(sequence(3));
    for (int copy = 0; copy < 4; copy++) {
      change(image, copy, block -> block.putInt(16, 4).putLong(2176, 1 | 1L << 40 | 1L << 63));
    }
    Failure.Invalid failure = assertInstanceOf(Failure.Invalid.class, refusal(image));
    assertTrue(failure.message().contains("(feature bit 40, feature bit 63)"), failure.message());
  }

  /** Whatever is written behind the superblock from then on is nothing for an older program. */
  @Test
  void anOlderFormatBecomesThePresentOneBeforeAnythingElse() {
    for (int older = 1; older < 16; older++) {
      DiskImage image = volume(sequence(3));
      for (int copy = 0; copy < 4; copy++) {
        if ((older & 1 << copy) != 0) {
          change(image, copy, block -> block.putInt(16, Superblock.OLDEST_FORMAT_VERSION));
        }
      }
      SimWorld world = machine(image);
      assertEquals(
          sequence(3), world.<Superblock>get(port -> LogRecovery.open(superblocks(world), port)));
      for (int copy = 0; copy < 4; copy++) {
        assertEquals(
            new SuperblockCodec.Found.Valid(sequence(3), Superblock.PLAIN_FORMAT_VERSION),
            SuperblockCodec.decode(
                ByteBuffer.wrap(world.disk().contents().read(LAYOUT.superblock(copy))),
                LAYOUT.superblock(copy)),
            "copies of version 1: " + older + ", copy " + copy);
      }
    }
  }

  /** Two copies of the state are whole at each moment, and the next opening has nothing to heal. */
  @Test
  void anOpeningRaisesTheSequenceInTheFrontCopies() {
    for (int crashStep = 1; crashStep <= 8; crashStep++) {
      SimWorld world = machine(volume(sequence(3)));
      Superblocks superblocks = superblocks(world);
      assertEquals(sequence(3), world.<Superblock>get(port -> LogRecovery.open(superblocks, port)));
      assertEquals(0, world.disk().syncs());
      world.disk().setFaults(FaultPlan.NONE.withCrashAt(world.disk().steps() + crashStep));
      Completion<Superblock> raised = world.await(superblocks::raise);
      SimWorld next = world.crashAndReopen();
      Superblock found = next.get(port -> LogRecovery.open(superblocks(next), port));
      assertTrue(found.isSameState(sequence(3)), found::toString);
      assertTrue(found.sequence() == 4 || raised == null, "step " + crashStep);
    }
    SimWorld world = machine(volume(sequence(3)));
    Superblocks superblocks = superblocks(world);
    world.<Superblock>get(port -> LogRecovery.open(superblocks, port));
    assertEquals(sequence(3).raised(), world.<Superblock>get(superblocks::raise));
    assertEquals(1, world.disk().syncs());
    SimWorld next = machine(world.disk().contents().fork());
    Superblock found = next.get(port -> LogRecovery.open(superblocks(next), port));
    assertEquals(4, found.sequence());
    assertEquals(0, next.disk().syncs(), "copies of one state are good");
  }

  @Test
  void whatIsLeftOfATruncatedVolumeIsRead() {
    for (long blocks : new long[] {2, 10, LogWorkload.VOLUME_BLOCKS - 1}) {
      DiskImage image = volume(sequence(3));
      image.resize(blocks);
      SimWorld world = machine(image);
      assertEquals(
          sequence(3), world.<Superblock>get(port -> superblocks(world).read(one -> null, port)));
    }
  }

  @Test
  void randomBlocksWithRightChecksumsNeverConfuseTheDecoder() {
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 20_000; i++) {
      ByteBuffer block = SuperblockCodec.encode(sequence(3), 1);
      for (int j = random.nextInt(4); j >= 0; j--) {
        block.putInt(4 * (2 + random.nextInt(60)), random.nextInt() >> random.nextInt(32));
      }
      block.putInt(4, Checksums.crc32c(block, 8, Disk.BLOCK_BYTES - 8));
      SuperblockCodec.decode(block, 1);
    }
  }

  @Test
  void aFailedWriteIsToldAndNotRetried() {
    for (int step = 1; step <= 12; step++) {
      SimWorld world = machine(volume(sequence(1)));
      world.disk().setFaults(FaultPlan.NONE.withFailAt(step));
      List<Object> told = new ArrayList<>();
      superblocks(world).write(sequence(2), told::add);
      world.runUntilIdle();
      assertEquals(1, told.size());
      long requests = world.disk().requests();
      SimWorld next = world.crashAndReopen();
      Superblock found = next.<Superblock>get(port -> LogRecovery.open(superblocks(next), port));
      boolean failed = told.getFirst().toString().startsWith("Failed");
      assertTrue(found.sequence() == 2 || failed, "step " + step);
      assertTrue(requests <= 6);
    }
  }
}
