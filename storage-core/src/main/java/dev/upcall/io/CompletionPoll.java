package dev.upcall.io;

import dev.upcall.config.Limits;

/**
 * Decides whether a thread with nothing to do but to wait for durable writes looks for their end
 * again and again, instead of sleeping. A sleeping thread on an idle core is woken tens of
 * microseconds after the device was done, which is a large part of what a durable write takes on a
 * fast device.
 *
 * <p>It is looked for at most so long in one wait, and only where recent durable writes took less
 * than that. Looking in vain means that the device hesitates or others want the processor: then the
 * next waits are slept through, one first, then two, four, and so on.
 */
final class CompletionPoll {
  /** The most waits that are slept through after one that was looked at in vain. */
  static final int MAX_SKIPPED = 256;

  /** One new latency counts for so much of the mean of the recent ones. */
  private static final int SMOOTHING = 8;

  private final long limitNanos;
  private long recentNanos;
  private int skipAfterMiss = 1;
  private int skip;

  /**
   * Decides within a limit.
   *
   * @param limitNanos the longest time of looking in one wait; 0: never
   */
  CompletionPoll(long limitNanos) {
    this.limitNanos = Limits.atLeast("limitNanos", limitNanos, 0);
  }

  /** How long to look in the wait that begins now; 0: not at all. */
  long begin() {
    if (recentNanos == 0 || recentNanos >= limitNanos) {
      return 0;
    }
    if (skip > 0) {
      skip--;
      return 0;
    }
    return limitNanos;
  }

  /** Looking has ended, with something to do or without. */
  void ended(boolean found) {
    if (found) {
      skipAfterMiss = 1;
    } else {
      skip = skipAfterMiss;
      skipAfterMiss = Math.min(MAX_SKIPPED, 2 * skipAfterMiss);
    }
  }

  /** A durable write took so long; a single straggler does not outweigh all others. */
  void durableWriteTook(long nanos) {
    long bounded = Math.max(1, Math.min(nanos, 2 * limitNanos));
    recentNanos =
        recentNanos == 0 ? bounded : Math.max(1, recentNanos + (bounded - recentNanos) / SMOOTHING);
  }
}
