package dev.upcall.txn.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.Invariants;
import dev.upcall.fsm.ParkingReactor;
import dev.upcall.fsm.SystemClock;
import dev.upcall.fsm.Unit;
import dev.upcall.io.BlockDevice;
import dev.upcall.io.DiskRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class GroupCommitLogTest {
  private static final int LOG_BLOCKS = 64;

  /** Seven eighths: beyond it there is room for marks only. */
  private static final int PARK_BLOCKS = 56;

  private static final int RECORD_BYTES = 100;

  private final Dispatcher machines = new Dispatcher(new SystemClock(), new ParkingReactor());
  private long scn;

  @AfterEach
  void stop() {
    machines.close();
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
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
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

  private void fill(GroupCommitLog log, int blocks) {
    while (log.counters().usedBlocks() < blocks) {
      assertNull(log.await(append(log)));
    }
  }

  private CommitGroup append(GroupCommitLog log) {
    return log.append(++scn, ByteBuffer.allocate(RECORD_BYTES), List.of());
  }

  private GroupCommitLog log() {
    VolumeLayout layout = new VolumeLayout(LOG_BLOCKS, 512, LOG_BLOCKS + 300);
    LogState start = new LogState(LogPoint.ORIGIN, 0, 0, /* marked= */ true);
    return new GroupCommitLog(
        LogConfig.DEFAULT, new LogVolume(new Taker(), layout, 99, machines), start, 7, new Deaf());
  }

  /** Takes everything, keeps nothing. */
  private static final class Taker implements BlockDevice {
    @Override
    public Completion<Unit> perform(DiskRequest request) {
      return Completion.done();
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

  /** Nobody takes checkpoints here. */
  private static final class Deaf implements LogListener {
    @Override
    public void checkpointWanted() {}

    @Override
    public void logFailed(Failure failure) {
      throw new AssertionError(failure.message());
    }
  }
}
