package dev.upcall.txn.change;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.pressure.Need;
import dev.upcall.pressure.Pressure;
import dev.upcall.pressure.Scarce;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.log.NamedExtent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a change waits for when there is no room for it: that it is worth planning again. */
public sealed interface RoomNeed extends Need<Unit> {
  /**
   * Less unplaced content.
   *
   * @param copiedBlocks so much more of it will be there; known of the moment of the plan only, so
   *     after a round of write-back it is planned again in any case
   */
  record LessUnplaced(Pressure pressure, long copiedBlocks) implements RoomNeed {
    @Override
    public @Nullable Unit take(boolean placed) {
      return placed || copiedBlocks <= pressure.left(Scarce.UNPLACED) ? Unit.UNIT : null;
    }

    @Override
    public void seek() {
      pressure.placingWanted();
    }

    @Override
    public Failure refusal(@Nullable Failure failure) {
      return failure == null ? new Failure.Busy("unplaced content") : failure;
    }
  }

  /**
   * Fewer tree pages that no checkpoint has written; there will be, since one is tried until it
   * succeeds.
   */
  record FewerPages(Pressure pressure) implements RoomNeed {
    @Override
    public @Nullable Unit take(boolean placed) {
      return pressure.left(Scarce.PAGES) > 0 ? Unit.UNIT : null;
    }

    @Override
    public void seek() {
      pressure.checkpointWanted();
    }

    @Override
    public boolean isComing() {
      return true;
    }

    @Override
    public Failure refusal(@Nullable Failure failure) {
      return new Failure.Busy("changed tree pages");
    }
  }

  /**
   * Room in the log; there will be some, since a checkpoint is tried until one succeeds. Only where
   * the device has none for the ring's first lap all give up.
   */
  record InLog(Pressure pressure, CommitLog log, long recordBytes, List<NamedExtent> named)
      implements RoomNeed {
    @Override
    public @Nullable Unit take(boolean placed) {
      return log.hasRoom(recordBytes, named) ? Unit.UNIT : null;
    }

    @Override
    public void seek() {
      log.whenRoom(
          recordBytes,
          named,
          completion -> {
            switch (completion) {
              case Completion.Done<Unit> done -> pressure.changed(Scarce.LOG);
              case Completion.Failed<Unit>(Failure why) -> pressure.refuseAll(Scarce.LOG, why);
            }
          });
    }

    @Override
    public boolean isComing() {
      return true;
    }

    @Override
    public Failure refusal(@Nullable Failure failure) {
      return new Failure.Busy("the log");
    }
  }
}
