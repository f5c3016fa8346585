package dev.upcall.fsm.wakeup;

import dev.upcall.config.Limits;

/**
 * Decides whether a thread with nothing to do but to wait looks for the end of its wait again and
 * again, instead of sleeping. A sleeping thread on an idle core is woken tens of microseconds after
 * what it waits for was done, which is a large part of what a durable write takes on a fast device.
 *
 * <p>It is looked for at most so long in one wait, and only where recent waits took less than that.
 * Looking in vain means that the device hesitates or others want the processor: then the next waits
 * are slept through, one first, then two, four, and so on. One thread at a time.
 */
public final class AdaptivePoll {
  /** The most waits that are slept through after one that was looked at. */
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
  public AdaptivePoll(long limitNanos) {
    this.limitNanos = Limits.atLeast("limitNanos", limitNanos, 0);
  }

  /** How long to look in the wait that begins now; 0: not at all. */
  public long begin() {
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
  public void ended(boolean found) {
    if (found) {
      skipAfterMiss = 1;
    } else {
      skip = skipAfterMiss;
      skipAfterMiss = Math.min(MAX_SKIPPED, 2 * skipAfterMiss);
    }
  }

  /**
   * Looking has ended, and others had the processor for a time slice meanwhile, where a thread that
   * slept would have been let in at once: as many waits are slept through as miss that much.
   */
  public void displaced() {
    skip = MAX_SKIPPED;
  }

  /**
   * A wait took so long, whether or not its end was looked for. A single straggler does not
   * outweigh all others.
   */
  public void waitTook(long nanos) {
    long bounded = Math.max(1, Math.min(nanos, 2 * limitNanos));
    recentNanos =
        recentNanos == 0 ? bounded : Math.max(1, recentNanos + (bounded - recentNanos) / SMOOTHING);
  }
}
