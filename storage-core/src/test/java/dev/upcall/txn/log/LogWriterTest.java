package dev.upcall.txn.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.io.Disk;
import dev.upcall.sim.FaultPlan;
import dev.upcall.txn.volume.LogPoint;
import dev.upcall.txn.volume.Superblock;
import dev.upcall.txn.volume.Superblocks;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogWriterTest {
  private static final LogConfig CONFIG = LogConfig.DEFAULT;

  @Test
  void whatIsAppendedInOneTurnSharesOneWrite() {
    LogRig rig = new LogRig(64, CONFIG);
    long requests = rig.world.disk().requests();
    for (int i = 0; i < 50; i++) {
      rig.append(100);
    }
    assertTrue(rig.acknowledged.isEmpty(), "acknowledged inside the call");
    rig.untilDurable(50);
    assertEquals(50, rig.acknowledged.size());
    assertEquals(requests + 1, rig.world.disk().requests());
    LogCounters counters = rig.writer.counters();
    assertEquals(1, counters.batches());
    assertEquals(50, counters.records());
    assertEquals(2, counters.blocks());
    assertEquals(0, counters.syncs());
    assertEquals(1, counters.batchRecords().count());
    assertEquals(50, counters.batchRecords().sum(), "all with one durable write");
  }

  @Test
  void aBatchFillsWhileAnotherIsInFlight() {
    LogRig rig = new LogRig(64, CONFIG);
    rig.append(10);
    rig.world.dispatcher().turn(false);
    assertEquals(LogWriter.State.WRITING, rig.writer.state());
    for (int i = 0; i < 10; i++) {
      rig.append(10);
      rig.world.dispatcher().turn(false);
    }
    rig.untilDurable(11);
    assertEquals(2, rig.writer.counters().batches());
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L), rig.acknowledged);
  }

  @Test
  void namedExtentsCostOneSyncAfterTheBatch() {
    LogRig rig = new LogRig(64, CONFIG);
    NamedExtent named = rig.written(3);
    rig.append(10, named);
    rig.untilDurable(1);
    assertEquals(1, rig.writer.counters().syncs());
    assertEquals(
        1,
        rig.world
            .dispatcher()
            .recorder()
            .statsOf(LogWriter.TRANSITIONS)
            .taken(LogWriter.State.WRITING, LogWriter.State.SYNCING_BATCH));
    LogRig next = rig.crash(CONFIG);
    assertEquals(1, next.writer.durableScn());
  }

  @Test
  void whatNobodyWaitsForGoesWithTheNextRecordOfSomebody() {
    LogRig rig = new LogRig(64, CONFIG);
    rig.append(10);
    rig.untilDurable(1);
    rig.appendAtLeisure(10);
    rig.world.dispatcher().turn(false);
    rig.appendAtLeisure(10);
    rig.world.dispatcher().turn(false);
    assertEquals(LogWriter.State.IDLE, rig.writer.state(), "nothing of its own is written");
    rig.append(10);
    rig.untilDurable(4);
    assertEquals(2, rig.writer.counters().batches(), "all with one write");
    assertEquals(List.of(1L, 2L, 3L, 4L), rig.acknowledged);
  }

  @Test
  void whatNobodyWaitsForWaitsAMomentOnly() {
    LogRig rig = new LogRig(64, CONFIG);
    rig.append(10);
    rig.untilDurable(1);
    long before = rig.world.clock().monotonicNanos();
    rig.appendAtLeisure(10);
    rig.world.dispatcher().turn(false);
    assertEquals(LogWriter.State.IDLE, rig.writer.state());
    rig.untilDurable(2);
    long waited = rig.world.clock().monotonicNanos() - before;
    assertTrue(waited >= CONFIG.leisureNanos() && waited < 5_000_000, waited + " ns");
  }

  @Test
  void whatNobodyWaitsForGoesAtOnceWhereNobodyElseIs() {
    LogRig rig = new LogRig(64, CONFIG);
    rig.appendAtLeisure(10);
    rig.world.dispatcher().turn(false);
    assertEquals(LogWriter.State.WRITING, rig.writer.state());
    rig.untilDurable(1);
  }

  @Test
  void whoAsksForABarrierOrClosesWaitsForNoOther() {
    LogRig rig = new LogRig(64, CONFIG);
    rig.append(10);
    rig.untilDurable(1);
    rig.appendAtLeisure(10);
    List<Long> durable = new ArrayList<>();
    rig.writer.barrier(completion -> durable.add(rig.writer.durableScn()));
    rig.world.dispatcher().turn(false);
    assertEquals(LogWriter.State.WRITING, rig.writer.state());
    rig.untilDurable(2);
    assertEquals(List.of(2L), durable);
    rig.append(10);
    rig.untilDurable(3);
    rig.appendAtLeisure(10);
    List<Completion<Unit>> closed = new ArrayList<>();
    rig.writer.close(closed::add);
    rig.world.runUntil(() -> !closed.isEmpty());
    assertEquals(List.of(Completion.done()), closed);
    assertEquals(List.of(1L, 2L, 3L, 4L), rig.acknowledged);
  }

  @Test
  void muchNamedDataIsSyncedFirst() {
    LogConfig config = new LogConfig(1 << 20, 1 << 24, 2 * Disk.BLOCK_BYTES, 5_000_000);
    LogRig rig = new LogRig(64, config);
    rig.append(10, rig.written(3));
    rig.untilDurable(1);
    assertEquals(1, rig.writer.counters().syncs());
    assertEquals(
        1,
        rig.world
            .dispatcher()
            .recorder()
            .statsOf(LogWriter.TRANSITIONS)
            .taken(LogWriter.State.SYNCING_EXTENTS, LogWriter.State.WRITING));
    BatchHeader head = headAt(rig, 0);
    assertTrue(head.has(BatchHeader.NAMES_EXTENTS) && head.has(BatchHeader.EXTENTS_SYNCED));
  }

  @Test
  void anIdleLogWritesItsMarkWithinTenMilliseconds() {
    LogRig rig = new LogRig(64, CONFIG);
    rig.append(10);
    rig.untilDurable(1);
    long acknowledgedAt = rig.world.clock().monotonicNanos();
    rig.world.runUntil(() -> rig.writer.counters().batches() == 2);
    assertTrue(rig.world.clock().monotonicNanos() - acknowledgedAt <= 10_000_000);
    BatchHeader mark = headAt(rig, 1);
    assertTrue(mark.has(BatchHeader.MARK_ONLY));
    assertEquals(64 + 1, mark.mark());
    rig.world.runUntilIdle();
    assertEquals(2, rig.writer.counters().batches(), "one mark is enough");
  }

  @Test
  void theLargestRecordFitsAndOneMoreByteIsTooLarge() {
    LogRig rig = new LogRig(64, CONFIG);
    int most = rig.writer.maxRecordBytes();
    assertEquals(8 * 4096 - 128 - 16, most);
    assertNull(rig.writer.refuses(most, List.of()));
    assertInstanceOf(Failure.TooLarge.class, rig.writer.refuses(most + 1, List.of()));
    assertInstanceOf(
        Failure.TooLarge.class, rig.writer.refuses(most - 15, List.of(rig.written(1))));
    rig.append(most);
    rig.untilDurable(1);
    LogRig next = rig.crash(CONFIG);
    assertEquals(1, next.writer.durableScn());
  }

  @Test
  void appendsParkAtSevenEighthsUntilTheLogIsTrimmed() {
    LogRig rig = new LogRig(16, CONFIG);
    while (rig.writer.hasRoom(4000, List.of())) {
      rig.append(4000);
    }
    assertTrue(rig.writer.usedBlocks() <= 14);
    assertThrows(Invariants.Violation.class, () -> rig.append(4000));
    List<Integer> woken = new ArrayList<>();
    rig.writer.whenRoom(8000, List.of(), completion -> woken.add(1));
    rig.world.runUntilIdle();
    assertTrue(woken.isEmpty(), "woken without room");
    assertTrue(rig.writer.usedBlocks() <= 15, "the mark fits behind seven eighths");
    rig.writer.trim(rig.writer.replayPoint().position());
    rig.world.dispatcher().turn(false);
    assertEquals(List.of(1), woken);
    assertTrue(rig.writer.hasRoom(8000, List.of()));
  }

  @Test
  void bytesThatAreNotDurableAreBounded() {
    LogRig rig = new LogRig(640, new LogConfig(8192, 8192, 8192, 5_000_000));
    rig.append(5000);
    assertFalse(rig.writer.hasRoom(5000, List.of()));
    List<Completion<Unit>> woken = new ArrayList<>();
    rig.writer.whenRoom(5000, List.of(), woken::add);
    rig.world.dispatcher().turn(false);
    assertTrue(woken.isEmpty());
    rig.untilDurable(1);
    assertEquals(List.of(Completion.done()), woken);
    assertTrue(rig.writer.hasRoom(5000, List.of()));
  }

  @Test
  void aCheckpointIsWantedOnceAtHalf() {
    LogRig rig = new LogRig(64, CONFIG);
    long scn = 0;
    while (rig.writer.usedBlocks() < 31) {
      assertEquals(0, rig.checkpointsWanted);
      scn = rig.append(4096);
    }
    rig.append(4096);
    scn = rig.append(4096);
    rig.untilDurable(scn);
    assertEquals(1, rig.checkpointsWanted);
    rig.writer.trim(64 + 1);
    rig.world.dispatcher().turn(false);
    assertEquals(2, rig.checkpointsWanted, "the trim was not enough");
  }

  @Test
  void aFailureReachesEverybody() {
    LogRig rig = new LogRig(16, CONFIG);
    rig.append(10);
    rig.world.dispatcher().turn(false);
    rig.append(10);
    rig.world.disk().setFaults(FaultPlan.NONE.withErrors(0, 1_000_000, 1_000_000));
    rig.untilDurable(1);
    while (rig.writer.hasRoom(4000, List.of())) {
      rig.append(4000);
    }
    List<Completion<Unit>> parked = new ArrayList<>();
    rig.writer.whenRoom(8000, List.of(), parked::add);
    rig.world.runUntil(() -> rig.writer.state() == LogWriter.State.FAILED);
    rig.append(10);
    rig.writer.barrier(parked::add);
    rig.writer.whenRoom(10, List.of(), parked::add);
    rig.writer.close(parked::add);
    rig.world.runUntilIdle();
    assertEquals(List.of(1L), rig.acknowledged);
    assertEquals(1, rig.failures.size());
    assertEquals(1, rig.writer.durableScn());
    assertInstanceOf(Failure.Device.class, rig.refused.getFirst());
    assertInstanceOf(Failure.ReadOnly.class, rig.refused.getLast());
    assertEquals(4, parked.size());
    for (Completion<Unit> one : parked) {
      assertInstanceOf(
          Failure.ReadOnly.class, ((Completion.Failed<Unit>) one).failure(), one.toString());
    }
  }

  @Test
  void afterAFailureElsewhereNothingIsAcknowledged() {
    for (boolean inFlight : new boolean[] {false, true}) {
      LogRig rig = new LogRig(64, CONFIG);
      if (inFlight) {
        rig.append(10);
        rig.world.dispatcher().turn(false);
      }
      rig.writer.failElsewhere(new Failure.Device("sync", "of a checkpoint"));
      rig.world.dispatcher().turn(false);
      assertEquals(1, rig.failures.size(), "told at once, whatever is in flight");
      rig.append(10);
      rig.world.runUntilIdle();
      assertTrue(rig.acknowledged.isEmpty());
      assertEquals(inFlight ? 2 : 1, rig.refused.size());
      assertEquals(LogWriter.State.FAILED, rig.writer.state());
      assertEquals(1, rig.failures.size());
    }
  }

  @Test
  void aBarrierWaitsForAllThatWasAppended() {
    LogRig rig = new LogRig(64, CONFIG);
    List<Long> seen = new ArrayList<>();
    rig.writer.barrier(completion -> seen.add(rig.writer.durableScn()));
    rig.world.dispatcher().turn(false);
    rig.append(10);
    rig.writer.barrier(completion -> seen.add(rig.writer.durableScn()));
    rig.world.dispatcher().turn(false);
    rig.writer.barrier(completion -> seen.add(rig.writer.durableScn()));
    rig.append(10);
    rig.writer.barrier(completion -> seen.add(rig.writer.durableScn()));
    rig.world.runUntilIdle();
    assertEquals(List.of(0L, 1L, 1L, 2L), seen);
  }

  @Test
  void closingMakesEverythingDurableAndMarksIt() {
    LogRig rig = new LogRig(64, CONFIG);
    rig.append(10);
    rig.world.<Unit>get(rig.writer::close);
    assertEquals(List.of(1L), rig.acknowledged);
    assertEquals(LogWriter.State.CLOSED, rig.writer.state());
    rig.append(10);
    rig.world.runUntilIdle();
    assertInstanceOf(Failure.Closed.class, rig.refused.getFirst());
    LogRecovery recovery = LogRecovery.of(rig.world.crashAndReopen(), Faults.NONE);
    assertTrue(recovery.state().marked());
    assertEquals(1, recovery.records().size());
  }

  @Test
  void aBatchOfMegabytesGoesRoundTheRing() {
    LogRig rig = new LogRig(8 * 700, CONFIG);
    int most = rig.writer.maxRecordBytes();
    long scn = 0;
    for (int lap = 0; lap < 9; lap++) {
      if (!rig.writer.hasRoom(most, List.of())) {
        break;
      }
      scn = rig.append(most);
      rig.untilDurable(scn);
    }
    LogPoint point = rig.writer.replayPoint();
    Superblock next = replaying(rig.superblock, scn, point);
    rig.world.<Unit>get(
        port -> new Superblocks(rig.world.dispatcher(), rig.world.disk()).write(next, port));
    rig.writer.trim(point.position());
    rig.append(10);
    rig.append(most);
    scn = rig.append(most);
    rig.untilDurable(scn);
    assertTrue(rig.writer.replayPoint().position() > 2 * 8 * 700, "no lap");
    LogRecovery recovery = LogRecovery.of(rig.world.crashAndReopen(), Faults.NONE);
    assertEquals(scn, recovery.state().lastScn());
    assertEquals(3, recovery.records().size());
    LogRecord last = recovery.records().getLast();
    assertEquals(most, last.bytes().remaining());
    while (last.bytes().hasRemaining()) {
      assertEquals((byte) scn, last.bytes().get());
    }
  }

  private static Superblock replaying(Superblock before, long scn, LogPoint point) {
    return new Superblock(
        before.volumeId(),
        before.sequence() + 1,
        scn,
        point,
        before.roots(),
        0,
        0,
        before.layout(),
        before.volumeBlocks(),
        before.capBlocks(),
        1,
        /* features= */ 0);
  }

  private static BatchHeader headAt(LogRig rig, long position) {
    byte[] block = rig.world.disk().contents().read(rig.superblock.layout().logBlock(position));
    BatchHeader head = BatchHeader.decode(ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN), 8);
    assertNotNull(head);
    return head;
  }
}
