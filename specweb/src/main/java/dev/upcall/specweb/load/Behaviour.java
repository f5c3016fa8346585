package dev.upcall.specweb.load;

import dev.upcall.specweb.draw.Draws;
import dev.upcall.specweb.draw.Gaps;
import dev.upcall.specweb.draw.Mix;

/**
 * What all workers of a test do alike.
 *
 * @param mix what they ask for
 * @param thinkMillis how long clients of a closed loop think on average
 * @param outstandingLimit how many requests of an open stream may be outstanding
 */
public record Behaviour(Mix mix, double thinkMillis, int outstandingLimit) {
  /** Of {@code outstandingLimit}. */
  public static final int MAX_OUTSTANDING = 20_000;

  /** Checks the limits. */
  public Behaviour {
    if (!(thinkMillis >= 0)) {
      throw new IllegalArgumentException("the think time must not be negative: " + thinkMillis);
    }
    if (outstandingLimit < 1 || outstandingLimit > MAX_OUTSTANDING) {
      throw new IllegalArgumentException(
          "outstanding requests must be 1 to " + MAX_OUTSTANDING + ", not " + outstandingLimit);
    }
  }

  Draws draws(long pointSeed, int worker) {
    return new Draws(mix, pointSeed, worker);
  }

  Gaps gaps(double meanNanos, long pointSeed, int worker) {
    return new Gaps(meanNanos, pointSeed, worker);
  }
}
