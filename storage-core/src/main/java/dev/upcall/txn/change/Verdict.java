package dev.upcall.txn.change;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.space.Reserve;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.log.NamedExtent;
import java.util.List;
import java.util.function.Consumer;

/**
 * Whether a change may be applied to the state as it is, and if not, what for. Valid until
 * something else is applied. Planning decides what no room can mend ({@link Plan#of}), {@link #of}
 * the rest; neither has an effect. The engines differ in how they wait for what is lacking, after
 * which they plan again from the start.
 *
 * @param <T> what the change gives back
 */
public sealed interface Verdict<T> {
  /** Nothing is lacking; it must be applied before anything else changes. */
  record Apply<T>(Plan<T> plan) implements Verdict<T> {}

  /** It is not applied now. */
  sealed interface Stop<T> extends Verdict<T> {}

  /** There is nothing to apply. */
  record Unchanged<T>(Completion<T> answer) implements Stop<T> {}

  /** Its planner refuses it, or it is larger than there will ever be room for. */
  record Refused<T>(Failure why) implements Stop<T> {}

  /**
   * A page must be in memory.
   *
   * @param pages that page, then others that are worth loading beside it
   */
  record PageMissing<T>(List<PageRef> pages) implements Stop<T> {}

  /**
   * Content lies elsewhere than the change was made for, and the remedy makes it anew; or the
   * volume must say first what the change makes it use, which the remedy has it do.
   */
  record Postponed<T>(Consumer<CompletionPort<Unit>> remedy) implements Stop<T> {}

  /** A transaction has locked something that it would change. */
  record Locked<T>(LockKey key) implements Stop<T> {}

  /** Unplaced content, of which it makes so much more by copying, must become less. */
  record Crowded<T>(long moreBlocks) implements Stop<T> {}

  /** Tree pages that no checkpoint has written must become fewer. */
  record PagesFull<T>() implements Stop<T> {}

  /** The volume must have more room for the next checkpoint. */
  record VolumeFull<T>(long blocks, Reserve reserve) implements Stop<T> {}

  /** The log must have more room. */
  record LogFull<T>(long recordBytes, List<NamedExtent> named) implements Stop<T> {}

  /**
   * What room there is at one moment.
   *
   * @param inPages whether there may be more tree pages that no checkpoint has written
   * @param unplacedBlocks so much more content may be unplaced; negative if it is too much already
   * @param onVolume whether the volume has the plan's {@link Plan#blocks}
   * @param inLog whether the log has room for the plan's record
   */
  record Room(boolean inPages, long unplacedBlocks, boolean onVolume, boolean inLog) {
    /** Of the store's own work, which a checkpoint may be waiting for. */
    Room forCheckpoint() {
      return new Room(/* inPages= */ true, unplacedBlocks, onVolume, inLog);
    }
  }

  /** What is to become of a plan in so much room. */
  public static <T> Verdict<T> of(Plan<T> plan, Room room) {
    if (!room.inPages()) {
      return new PagesFull<>();
    }
    if (plan.copiedBlocks() > room.unplacedBlocks()) {
      return new Crowded<>(plan.copiedBlocks());
    }
    if (!room.onVolume()) {
      return new VolumeFull<>(plan.blocks(), plan.reserve());
    }
    return room.inLog() ? new Apply<>(plan) : new LogFull<>(plan.recordBytes(), plan.named());
  }
}
