package dev.upcall.specweb.draw;

import java.util.random.RandomGenerator;

/** Exponential gaps: those of a Poisson stream, or think times. */
public final class Gaps {
  private final RandomGenerator random;
  private final double meanNanos;

  /** Gaps with a mean; a mean of 0 gives no gaps. */
  public Gaps(double meanNanos, long runSeed, int worker) {
    if (!(meanNanos >= 0)) {
      throw new IllegalArgumentException("a mean gap of " + meanNanos + " ns");
    }
    this.meanNanos = meanNanos;
    random = Seeds.GAPS.of(runSeed, worker);
  }

  /** The next gap in nanoseconds. */
  public long nextNanos() {
    return (long) (-Math.log(1 - random.nextDouble()) * meanNanos);
  }
}
