package dev.upcall.txn.state;

import dev.upcall.fsm.meter.Distribution;
import dev.upcall.segment.paging.PageLoader;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.EditMeter;
import dev.upcall.txn.metrics.StoreWork;
import java.util.Optional;

/** What the machines of a store time and count. Plain fields of the dispatcher's thread. */
public final class StoreMeters {
  private final Distribution commitNanos = new Distribution();
  private final Distribution checkpointNanos = new Distribution();
  private final EditMeter edits = new EditMeter();
  private long checkpointsFailed;
  private Optional<StoreWork.Counted> counted = Optional.empty();

  /** A change became durable so long after it was applied. */
  public void durable(long nanos) {
    commitNanos.record(nanos);
  }

  /** A checkpoint ended. */
  public void checkpointEnded(long nanos, boolean durable) {
    if (durable) {
      checkpointNanos.record(nanos);
    } else {
      checkpointsFailed++;
    }
  }

  /** A walk has counted the volume's space. */
  public void counted(VerifyReport report) {
    counted = Optional.of(new StoreWork.Counted(report.scn(), report.space()));
  }

  /** What edits in the middle cost. */
  public EditMeter edits() {
    return edits;
  }

  /** How the store is doing, with what its parts count themselves. */
  public StoreWork work(
      StoreState state, PageLoader loader, StoreEntrance entrance, int contentUnderWay) {
    return new StoreWork(
        entrance.inside(),
        entrance.refused(),
        contentUnderWay,
        state.pins().holders(),
        state.dirtyPages(),
        state.pages().residentBytes(),
        state.pages().evictions(),
        loader.secondCopyReads(),
        commitNanos.snapshot(),
        checkpointNanos.snapshot(),
        checkpointsFailed,
        edits.edits(),
        edits.copiedBytes(),
        edits.pendingPieces(),
        edits.unusedBytes(),
        counted);
  }
}
