package dev.upcall.txn.log;

import dev.upcall.fsm.Dispatcher;

/**
 * Whether what is pending in the log starts as soon as the log is idle, or may wait a moment for a
 * record that somebody waits for. With one caller, whose next record comes when the one before is
 * durable, a write of the store's own would else be in the way of each. Dispatcher's thread.
 */
final class BatchHaste {
  private final Dispatcher dispatcher;
  private final long leisureNanos;
  private final LogTimer timer;

  /** Whether what is pending shall not wait. */
  private boolean hasty;

  /** When somebody last appended who waits. */
  private long awaitedNanos;

  /**
   * Nothing is pending.
   *
   * @param due runs when what is pending has waited long enough
   */
  BatchHaste(Dispatcher dispatcher, long leisureNanos, Runnable due) {
    this.dispatcher = dispatcher;
    this.leisureNanos = leisureNanos;
    this.timer = new LogTimer(dispatcher, leisureNanos, due);
    this.awaitedNanos = dispatcher.upcallNanos() - leisureNanos;
  }

  /** A record that somebody waits for is pending. */
  void awaited() {
    awaitedNanos = dispatcher.upcallNanos();
    hurry();
  }

  /** What is pending shall not wait. */
  void hurry() {
    hasty = true;
    timer.cancel();
  }

  /** A record that nobody waits for is pending; tells whether it shall not wait all the same. */
  boolean unawaited() {
    if (dispatcher.upcallNanos() - awaitedNanos >= leisureNanos) {
      // Nobody is there whose record it could wait for.
      hurry();
    } else if (!hasty) {
      timer.arm();
    }
    return hasty;
  }

  /** Whether what is pending shall not wait. */
  boolean isHasty() {
    return hasty;
  }

  /** A batch was taken out. */
  void taken(boolean morePending) {
    hasty = morePending;
    timer.cancel();
  }

  /** Nothing is waited for any more. */
  void cancel() {
    timer.cancel();
  }
}
