package dev.upcall.threads.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.door.ParkingReactor;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.DiskRequest;
import dev.upcall.txn.log.LogConfig;
import dev.upcall.txn.log.LogListener;
import dev.upcall.txn.log.LogState;
import dev.upcall.txn.volume.LogPoint;
import dev.upcall.txn.volume.VolumeLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class GroupCommitLogTest {
  private static final int LOG_BLOCKS = 64;

  /** Seven eighths: beyond it there is room for marks only. */
  private static final int PARK_BLOCKS = 56;

  private static final int RECORD_BYTES = 100;

  private final Dispatcher machines = new Dispatcher(new SystemClock(), new ParkingReactor());
  private volatile Runnable onWrite = () -> {};
  private volatile Function<DiskRequest, Completion<Unit>> onRequest = request -> Completion.done();
  private final List<Failure> failures = new ArrayList<>();
  private List<Failure> expectedFailures = List.of();
  private int checkpointsWanted;
  private long scn;

  @AfterEach
  void stop() {
    machines.close();
    assertEquals(expectedFailures, failures);
  }

  @Test
  void roomThatWasPromisedIsThereWhenALeaderHasTakenTheBatch() {
    GroupCommitLog log = log();
    fill(log, PARK_BLOCKS - 4);
    int appended = 0;
    while (log.hasRoom(RECORD_BYTES, List.of())) {
      CommitGroup first = append(log);
      boolean promised = log.hasRoom(RECORD_BYTES, List.of());
      // The batch had place for one more, until it was written.
      assertNull(log.await(first));
      appended++;
      if (promised) {
        assertNull(log.await(append(log)));
        appended++;
      }
    }
    assertEquals(3, appended, "one-block batches, before only a mark fits");
    assertEquals(PARK_BLOCKS - 1, log.counters().usedBlocks());
  }

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void roomThatWasPromisedIsThereBehindAMark() {
    GroupCommitLog log = log();
    fill(log, PARK_BLOCKS - 2);
    assertTrue(log.hasRoom(RECORD_BYTES, List.of()));
    log.start();
    while (log.counters().usedBlocks() < PARK_BLOCKS - 1) {
      Thread.onSpinWait();
    }
    assertFalse(log.hasRoom(RECORD_BYTES, List.of()));
    assertNull(log.await(append(log)));
    assertThrows(Invariants.Violation.class, () -> append(log), "nothing was promised");
  }

  @Test
  void aLogThatContinuesAFullOneHasNoRoomEither() {
    LogPoint next = new LogPoint(LOG_BLOCKS + PARK_BLOCKS, PARK_BLOCKS, 7, 0);
    GroupCommitLog log = log(new LogState(next, 0, LOG_BLOCKS, /* marked= */ true));
    assertEquals(PARK_BLOCKS, log.counters().usedBlocks());
    assertFalse(log.hasRoom(RECORD_BYTES, List.of()));
    machines.post(machines::stop);
    machines.run();
    assertEquals(1, checkpointsWanted);
  }

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void aMarkTakesItsRoomBeforeItIsWritten() {
    GroupCommitLog log = log();
    fill(log, 5);
    AtomicInteger used = new AtomicInteger();
    onWrite = () -> used.set(log.counters().usedBlocks());
    log.start();
    while (used.get() == 0) {
      Thread.onSpinWait();
    }
    assertEquals(6, used.get());
  }

  @Test
  void aLeaderThatDiesLeavesNobodyWaiting() {
    GroupCommitLog log = log();
    CommitGroup first = append(log);
    onWrite =
        () -> {
          throw new IllegalStateException("on purpose");
        };
    assertThrows(IllegalStateException.class, () -> log.await(first));
    assertInstanceOf(Failure.ReadOnly.class, log.readOnlyReason());
    Failure told = log.await(first);
    assertInstanceOf(Failure.Device.class, told);
    expectedFailures = List.of(told);
    assertInstanceOf(Failure.ReadOnly.class, log.await(append(log)));
  }

  @Test
  void aFailureElsewhereIsToldWhileABatchIsBeingWritten() {
    GroupCommitLog log = log();
    CommitGroup first = append(log);
    Failure why = new Failure.Device("sync", "of a checkpoint");
    expectedFailures = List.of(why);
    onWrite =
        () -> {
          log.failElsewhere(why);
          machines.post(machines::stop);
          machines.run();
          assertEquals(expectedFailures, failures);
        };
    assertEquals(why, log.await(first));
  }

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void whoNeedsMoreOfAFreshRingPreparesIt() {
    GroupCommitLog log = logOnFirstLap();
    List<Long> prepared = new ArrayList<>();
    onRequest =
        request -> {
          if (request instanceof DiskRequest.Allocate allocate) {
            prepared.add(allocate.block());
          }
          return Completion.done();
        };
    while (log.counters().usedBlocks() < PARK_BLOCKS - 4) {
      assertNull(log.awaitRoom(RECORD_BYTES, List.of()));
      assertNull(log.await(append(log)));
    }
    assertEquals(List.of(12L, 20L, 28L, 36L, 44L, 52L, 60L), prepared);
  }

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void aDeviceWithoutRoomForTheRingIsSaidAndTriedAgain() {
    GroupCommitLog log = logOnFirstLap();
    Failure full = new Failure.VolumeFull(1, 0, 1);
    onRequest =
        request ->
            request instanceof DiskRequest.Allocate ? Completion.failed(full) : Completion.done();
    while (log.hasRoom(RECORD_BYTES, List.of())) {
      assertNull(log.await(append(log)));
    }
    assertEquals(full, log.awaitRoom(RECORD_BYTES, List.of()));
    onRequest = request -> Completion.done();
    assertNull(log.awaitRoom(RECORD_BYTES, List.of()));
    assertNull(log.await(append(log)));
  }

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void aSyncThatFailsWhileTheRingIsPreparedEndsTheLog() {
    GroupCommitLog log = logOnFirstLap();
    Failure failed = new Failure.Device("sync", "on purpose");
    onRequest =
        request ->
            request instanceof DiskRequest.Sync ? Completion.failed(failed) : Completion.done();
    while (log.hasRoom(RECORD_BYTES, List.of())) {
      assertNull(log.await(append(log)));
    }
    assertEquals(failed, log.awaitRoom(RECORD_BYTES, List.of()));
    assertInstanceOf(Failure.ReadOnly.class, log.readOnlyReason());
    expectedFailures = List.of(failed);
    machines.post(machines::stop);
    machines.run();
  }

  @Test
  @Timeout(value = 180, unit = TimeUnit.SECONDS)
  void theLogsOwnThreadPreparesTheWholeRingWhenAsked() throws InterruptedException {
    GroupCommitLog log = logOnFirstLap();
    AtomicInteger writes = new AtomicInteger();
    onRequest =
        request -> {
          if (request instanceof DiskRequest.Write) {
            writes.incrementAndGet();
          }
          return Completion.done();
        };
    log.start();
    List<Completion<Unit>> told = new ArrayList<>();
    machines.post(
        () ->
            log.whenWhole(
                completion -> {
                  told.add(completion);
                  machines.stop();
                }));
    machines.run();
    assertEquals(List.of(Completion.done()), told);
    assertEquals(LOG_BLOCKS / 8 - 1, writes.get(), "a step each");
  }

  /** The log's thread may have prepared it since he was told that it is being prepared. */
  @Test
  void whoWaitsForAStepThatIsPreparedIsToldAtOnce() {
    GroupCommitLog log = log();
    List<Completion<Unit>> told = new ArrayList<>();
    machines.post(() -> log.whenPrepared(told::add));
    for (int turns = 0; turns < 3; turns++) {
      machines.turn(/* mayWait= */ false);
    }
    assertEquals(List.of(Completion.done()), told);
  }

  private GroupCommitLog logOnFirstLap() {
    return log(new LogState(LogPoint.ORIGIN, 0, 0, /* marked= */ true));
  }

  private void fill(GroupCommitLog log, int blocks) {
    while (log.counters().usedBlocks() < blocks) {
      assertNull(log.await(append(log)));
    }
  }

  private CommitGroup append(GroupCommitLog log) {
    return log.append(++scn, ByteBuffer.allocate(RECORD_BYTES), List.of());
  }

  private GroupCommitLog log() {
    // Its second lap: all of the ring is prepared.
    LogPoint next = new LogPoint(LOG_BLOCKS, 0, 0, 0);
    return log(new LogState(next, 0, LOG_BLOCKS, /* marked= */ true));
  }

  private GroupCommitLog log(LogState start) {
    VolumeLayout layout = new VolumeLayout(LOG_BLOCKS, 512, LOG_BLOCKS + 300);
    return new GroupCommitLog(
        LogConfig.DEFAULT,
        new LogVolume(new Taker(), layout, 99, machines),
        start,
        7,
        new Checkpointer());
  }

  /** Takes everything, keeps nothing. */
  private final class Taker implements BlockDevice {
    @Override
    public Completion<Unit> perform(DiskRequest request) {
      onWrite.run();
      return onRequest.apply(request);
    }

    @Override
    public long sizeBlocks() {
      return LOG_BLOCKS + 300;
    }

    @Override
    public String name() {
      return "taker";
    }

    @Override
    public void close() {}
  }

  /** Counts checkpoints, and takes none. */
  private final class Checkpointer implements LogListener {
    @Override
    public void checkpointWanted() {
      checkpointsWanted++;
    }

    @Override
    public void logFailed(Failure failure) {
      failures.add(failure);
    }
  }
}
