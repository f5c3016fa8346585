package dev.upcall.feed;

import dev.upcall.fsm.Dispatcher;

/**
 * Lets requests that the store is asked directly go first: while some of them are on their way, the
 * next group of a queue waits, a bounded time. Dispatcher's thread only.
 */
final class Deference {
  /** The longest that a group waits: under any load one begins so often. */
  static final long MAX_NANOS = 10_000_000;

  /** How often it is looked whether it has to. */
  private static final long STEP_NANOS = 500_000;

  private static final long NEVER = Long.MIN_VALUE;

  private final Dispatcher dispatcher;
  private long sinceNanos = NEVER;
  private boolean isWaiting;
  private long held;

  Deference(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** Groups that had to wait. */
  long held() {
    return held;
  }

  /**
   * Whether a group has to wait.
   *
   * @param direct requests that are on their way and not of the queue
   * @param again runs when it is to be asked again
   */
  boolean holds(int direct, Runnable again) {
    long now = dispatcher.upcallNanos();
    boolean isOver = sinceNanos != NEVER && now - sinceNanos >= MAX_NANOS;
    if (direct <= 0 || isOver) {
      sinceNanos = NEVER;
      return false;
    }
    if (sinceNanos == NEVER) {
      sinceNanos = now;
      held++;
    }
    if (!isWaiting) {
      isWaiting = true;
      dispatcher.schedule(
          STEP_NANOS,
          () -> {
            isWaiting = false;
            again.run();
          });
    }
    return true;
  }
}
