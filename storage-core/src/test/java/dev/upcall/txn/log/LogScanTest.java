package dev.upcall.txn.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.fsm.InjectedFaults;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.IoClass;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import dev.upcall.space.Extent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LogScanTest {
  private static final LogConfig CONFIG = LogConfig.DEFAULT;

  /** Records in batches of one block each; what is on disk when the last is acknowledged. */
  private static DiskImage batches(LogRig rig, int count) {
    for (int i = 1; i <= count; i++) {
      rig.untilDurable(rig.append(100));
    }
    return rig.world.disk().contents().fork();
  }

  private static LogRecovery recover(LogRig rig, DiskImage image) {
    return LogRecovery.of(rig.world.reopen(image), Faults.NONE);
  }

  @Test
  void onlyTheLastBatchIsNotTrusted() {
    LogRig rig = new LogRig(64, CONFIG);
    LogRecovery recovery = recover(rig, batches(rig, 3));
    assertEquals(List.of(1L, 2L, 3L), recovery.records().stream().map(LogRecord::scn).toList());
    assertEquals(
        List.of(true, true, false), recovery.records().stream().map(LogRecord::trusted).toList());
    assertEquals(64 + 3, recovery.state().next().position());
    assertTrue(!recovery.state().marked());
  }

  @Test
  void theRestOfABatchIsThereAtOnce() {
    LogRig rig = new LogRig(64, CONFIG);
    for (int i = 1; i <= 3; i++) {
      rig.append(100);
    }
    rig.untilDurable(3);
    SimWorld world = rig.world.reopen(rig.world.disk().contents().fork());
    LogScan scan =
        new LogScan(LogWorkload.environment(world, rig.superblock), rig.superblock.log(), 1);

    assertNull(scan.poll(), "nothing was read yet");
    LogScan.Step first = LogRecovery.value(world.<LogScan.Step>await(scan::next));
    assertEquals(2, assertInstanceOf(LogScan.Step.Replay.class, first).record().scn());
    assertEquals(3, Objects.requireNonNull(scan.poll()).scn());
    assertNull(scan.poll(), "that was the last one of its batch");
    LogScan.Step end = LogRecovery.value(world.<LogScan.Step>await(scan::next));
    assertEquals(3, assertInstanceOf(LogScan.Step.End.class, end).state().lastScn());
    assertNull(scan.poll(), "it is over");
  }

  @Test
  void damageInTheMiddleIsCorruptAndNamed() {
    LogRig rig = new LogRig(64, CONFIG);
    DiskImage image = batches(rig, 3);
    long block = rig.superblock.layout().logBlock(1);
    image.flipBit(block, 8 * 200);
    LogRecovery.Refused refused =
        assertThrows(LogRecovery.Refused.class, () -> recover(rig, image));
    Failure.Corrupt corrupt = assertInstanceOf(Failure.Corrupt.class, refused.failure());
    assertEquals(block * Disk.BLOCK_BYTES, corrupt.offsetBytes());
    assertTrue(corrupt.structure().contains("position 65"), corrupt.structure());
    assertTrue(corrupt.expected() != corrupt.found());
  }

  @Test
  void anyDamagedFieldOfAHeadInTheMiddleIsCorrupt() {
    LogRig rig = new LogRig(64, CONFIG);
    DiskImage image = batches(rig, 3);
    long block = rig.superblock.layout().logBlock(1);
    for (int bit = 0; bit < 8 * (BatchHeader.BYTES + LogFrames.HEAD_BYTES + 100); bit += 3) {
      DiskImage damaged = image.fork();
      damaged.flipBit(block, bit);
      LogRecovery.Refused refused =
          assertThrows(LogRecovery.Refused.class, () -> recover(rig, damaged), "bit " + bit);
      assertInstanceOf(Failure.Corrupt.class, refused.failure());
    }
  }

  @Test
  void damageInTheLastBatchIsTheTail() {
    LogRig rig = new LogRig(64, CONFIG);
    DiskImage image = batches(rig, 3);
    image.flipBit(rig.superblock.layout().logBlock(2), 8 * 200);
    LogRecovery recovery = recover(rig, image);
    assertEquals(2, recovery.state().lastScn());
    assertEquals(64 + 2, recovery.state().next().position());
  }

  @Test
  void damageBeforeAnIdleLogsMarkIsCorrupt() {
    LogRig rig = new LogRig(64, CONFIG);
    batches(rig, 3);
    rig.world.runUntilIdle();
    DiskImage image = rig.world.disk().contents().fork();
    image.flipBit(rig.superblock.layout().logBlock(2), 8 * 200);
    LogRecovery.Refused refused =
        assertThrows(LogRecovery.Refused.class, () -> recover(rig, image));
    assertInstanceOf(Failure.Corrupt.class, refused.failure());
  }

  @Test
  void extentsBehindTheEndOfTheVolumeFailTheirBatch() {
    LogRig rig = new LogRig(64, CONFIG);
    rig.append(10);
    long end = rig.world.disk().sizeBlocks();
    rig.append(10, new NamedExtent(new Extent(end - 1, 2), new int[2]));
    rig.untilDurable(2);
    LogRecovery recovery = recover(rig, rig.world.disk().contents().fork());
    assertEquals(0, recovery.state().lastScn(), "one batch lives and dies as one");
  }

  /**
   * The superblock has the first record of the last batch in it; the extent which that one names
   * was freed and used again since. The second record was acknowledged all the same.
   */
  @Test
  void extentsThatTheSuperblockCoversAreNotCompared() {
    LogRig rig = new LogRig(64, CONFIG);
    NamedExtent named = rig.written(2);
    rig.append(10, named);
    rig.append(10);
    rig.untilDurable(2);
    DiskImage image = rig.world.disk().contents().fork();
    image.flipBit(named.extent().block(), 0);
    assertEquals(0, recover(rig, image).state().lastScn(), "not covered: the batch is no good");
    LogRecovery recovery = LogRecovery.of(rig.world.reopen(image), rig.superblock, /* scn= */ 1);
    assertEquals(List.of(2L), recovery.records().stream().map(LogRecord::scn).toList());
    assertEquals(2, recovery.state().lastScn());
  }

  /** From an old superblock: what it needs of the log has been written over since. */
  @Test
  void whatALaterLapHasWrittenOverIsNoTail() {
    for (int later : new int[] {1, 20, 63, 64, 70, 100}) {
      LogRig rig = new LogRig(64, CONFIG);
      for (int i = 1; i <= 64 + later; i++) {
        rig.untilDurable(rig.append(100));
        rig.writer.trim(64 + Math.max(0, i - 30));
      }
      DiskImage image = rig.world.disk().contents().fork();
      LogRecovery.Refused refused =
          assertThrows(
              LogRecovery.Refused.class,
              () -> LogRecovery.of(rig.world.reopen(image), rig.superblock, /* scn= */ 0),
              later + " batches of the next lap");
      assertInstanceOf(Failure.Corrupt.class, refused.failure());
    }
  }

  @Test
  void anUnreadableLogIsADeviceFailureNotATail() {
    LogRig rig = new LogRig(64, CONFIG);
    SimWorld next = rig.world.reopen(batches(rig, 3));
    LogScan scan =
        new LogScan(LogWorkload.environment(next, rig.superblock), rig.superblock.log(), 0);
    next.disk().setFaults(FaultPlan.NONE.withErrors(1_000_000, 0, 0));
    for (int i = 0; i < 2; i++) {
      LogRecovery.Refused refused =
          assertThrows(LogRecovery.Refused.class, () -> LogRecovery.value(next.await(scan::next)));
      assertInstanceOf(Failure.Device.class, refused.failure());
    }
  }

  /** The process was killed, and the power failed only after the store had been opened again. */
  @Test
  void whatRecoveryBelievedIsDurableFromThenOn() {
    LogRig rig = new LogRig(64, CONFIG, InjectedFaults.of(LogFault.ACKNOWLEDGE_BEFORE_SYNC));
    rig.untilDurable(rig.append(100));
    rig.untilDurable(rig.append(100, rig.written(2)));
    assertEquals(2, LogRecovery.of(rig.world, Faults.NONE).records().size());
    for (int i = 0; i < 20; i++) {
      DiskImage image = rig.world.disk().crashImage(rig.world.random());
      assertEquals(2, recover(rig, image).state().lastScn());
    }
  }

  /** The process was killed after a sync that failed; the one of its successor says nothing. */
  @Test
  void whatAFailedSyncGaveUpIsDurableOnceItIsBelieved() {
    LogRig rig = new LogRig(64, CONFIG, InjectedFaults.of(LogFault.ACKNOWLEDGE_BEFORE_SYNC));
    rig.untilDurable(rig.append(100, rig.written(2)));
    rig.world.disk().setFaults(FaultPlan.NONE.withErrors(0, 0, 1_000_000));
    Completion<Unit> gaveUp =
        rig.world.await(port -> rig.world.disk().submit(new DiskRequest.Sync(IoClass.LOG, port)));
    assertInstanceOf(Completion.Failed.class, gaveUp);
    SimWorld successor = rig.world.killAndReopen();
    assertEquals(1, LogRecovery.of(successor, Faults.NONE).records().size());
    for (int i = 0; i < 20; i++) {
      DiskImage image = successor.disk().crashImage(successor.random());
      assertEquals(1, recover(rig, image).state().lastScn());
    }
  }

  @Test
  void aNewTailIsNeverMistakenForTheRejectedOne() {
    // Batches 3 and 4 of an earlier life were rejected (whatever made recovery do so); the new life
    // has written the place of the first anew, and the other one is still whole and valid.
    LogRig rig = new LogRig(64, CONFIG);
    DiskImage image = batches(rig, 5);
    SimWorld world = rig.world.reopen(image);
    LogWriter writer =
        new LogWriter(
            CONFIG,
            LogWorkload.environment(world, rig.superblock),
            new LogState(head(image, rig, 3).at(), 3, 64, true),
            4711,
            rig);
    writer.append(4, ByteBuffer.allocate(100), List.of(), completion -> {});
    world.runUntil(() -> writer.durableScn() == 4);
    assertEquals(5, head(world.disk().contents(), rig, 4).firstScn());
    LogRecovery recovery = LogRecovery.of(world.crashAndReopen(), Faults.NONE);
    assertEquals(64 + 4, recovery.state().next().position());
    assertEquals(4, recovery.state().lastScn());
    assertEquals(0, recovery.records().getLast().bytes().get(0));
  }

  private static BatchHeader head(DiskImage image, LogRig rig, long position) {
    byte[] block = image.read(rig.superblock.layout().logBlock(position));
    return BatchHeader.decode(ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN), 8);
  }
}
