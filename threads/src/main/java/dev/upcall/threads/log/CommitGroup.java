package dev.upcall.threads.log;

import dev.upcall.completion.Failure;
import java.util.concurrent.locks.Condition;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Those whose records share a batch. Everything with the log's lock. */
public final class CommitGroup {
  private final Condition settled;
  private boolean over;
  private int waiting;
  private @Nullable Failure failure;

  /** A group that waits on a condition of its own, so that no other is woken in vain. */
  CommitGroup(Condition settled) {
    this.settled = settled;
  }

  /** Waits until this is over, or it is the caller's turn to write because nobody does. */
  void awaitWhile(BooleanSupplier somebodyWrites) {
    waiting++;
    while (!over && somebodyWrites.getAsBoolean()) {
      settled.awaitUninterruptibly();
    }
    waiting--;
  }

  boolean hasWaiters() {
    return waiting > 0;
  }

  /** Lets one of those who wait look whether he should write. */
  void wakeOne() {
    settled.signal();
  }

  /** The batch is durable, or will never be. */
  void settle(@Nullable Failure why) {
    over = true;
    failure = why;
    settled.signalAll();
  }

  boolean isOver() {
    return over;
  }

  @Nullable Failure failure() {
    return failure;
  }
}
