package dev.upcall.nio.collected;

import dev.upcall.completion.Failure;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The turn to commit what a file has collected, one thread at a time, and its last outcome. Guarded
 * by the lock of the file's {@link PendingWrites}.
 */
final class CommitTurn {
  /** Rounds of {@link WriteBehind} between two commits that find the file busy. */
  private static final int ROUNDS_OF_A_RETRY = 64;

  private final Condition changed;
  private boolean taken;
  private Outcome last = Outcome.DONE;
  private int roundsFailed;

  /** The outcome of a commit. */
  enum Outcome {
    DONE,
    /** Nothing: it was given back before it was tried, or shall be tried again. */
    NOT_TRIED,
    /** No name leads to the file any more. */
    GONE,
    /**
     * Others, such as a transaction, have the file, of which only metadata changes. It is tried
     * again without being asked: no channel need be open that would hear of it.
     */
    BUSY,
    FAILED;

    /** The outcome of a batch whose commit has failed. */
    static Outcome of(Batch batch, Failure why) {
      return switch (why) {
        case Failure.NotFound _ -> GONE;
        case Failure.Busy _, Failure.LockTimeout _ when batch.metadata() != null -> BUSY;
        default -> FAILED;
      };
    }
  }

  CommitTurn(ReentrantLock lock) {
    this.changed = lock.newCondition();
  }

  boolean isTaken() {
    return taken;
  }

  void take() {
    taken = true;
  }

  /** Ends the turn. */
  void end(Outcome outcome) {
    taken = false;
    last = outcome;
    changed.signalAll();
  }

  /** Nothing is left of what failed. */
  void forget() {
    last = Outcome.DONE;
  }

  /** Whether what leaves could not be committed when that was last tried. */
  boolean hasFailed() {
    return last != Outcome.DONE && last != Outcome.NOT_TRIED;
  }

  /** Whether that is tried again in a later round, if not in this one. */
  boolean isRetried() {
    return last == Outcome.BUSY;
  }

  /** Whether it is tried again in this round; asked once in each. */
  boolean isRetryDue() {
    roundsFailed++;
    return isRetried() && roundsFailed % ROUNDS_OF_A_RETRY == 0;
  }

  /** Waits until nobody has it. */
  void awaitEnd() {
    while (taken) {
      changed.awaitUninterruptibly();
    }
  }
}
