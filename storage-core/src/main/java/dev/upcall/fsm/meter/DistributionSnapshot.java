package dev.upcall.fsm.meter;

import java.util.Objects;
import org.HdrHistogram.Histogram;

/**
 * A {@link Distribution} as it was at one moment; immutable, any thread. Sizes are known to a
 * sixteenth of themselves; count, sum and maximum exactly.
 */
public final class DistributionSnapshot {
  /** Nothing was recorded. */
  public static final DistributionSnapshot EMPTY =
      new DistributionSnapshot(new Histogram(1, Distribution.MAX_VALUE, 1), 0, 0);

  private static final double ALL_PERCENT = 100;

  private final Histogram counts;
  private final long sum;
  private final long max;

  /**
   * A snapshot.
   *
   * @param counts passes to this; nobody changes it any more
   */
  DistributionSnapshot(Histogram counts, long sum, long max) {
    this.counts = counts;
    this.sum = sum;
    this.max = max;
  }

  /** What was recorded here or there. */
  public DistributionSnapshot plus(DistributionSnapshot other) {
    Objects.requireNonNull(other, "other");
    if (other.count() == 0) {
      return this;
    }
    Histogram both = counts.copy();
    both.add(other.counts);
    return new DistributionSnapshot(both, sum + other.sum, Math.max(max, other.max));
  }

  /** How many numbers were recorded. */
  public long count() {
    return counts.getTotalCount();
  }

  /** Their sum. */
  public long sum() {
    return sum;
  }

  /** The largest of them; 0 if there were none. */
  public long max() {
    return max;
  }

  /** Their mean; 0 if there were none. */
  public double mean() {
    return count() == 0 ? 0 : (double) sum / count();
  }

  /**
   * A number that the given part of all (0.99 for the 99th percentile) does not exceed; 0 if there
   * were none. Too high by a sixteenth at most, never too low.
   */
  public long quantile(double part) {
    return Math.min(max, counts.getValueAtPercentile(part * ALL_PERCENT));
  }

  /**
   * How many numbers were at most so large. Those that cannot be told from larger ones do not
   * count: it may say too few, never too many.
   */
  public long countUpTo(long limit) {
    long bound = Math.min(limit, Distribution.MAX_VALUE);
    long sure =
        counts.highestEquivalentValue(bound) == bound
            ? bound
            : counts.lowestEquivalentValue(bound) - 1;
    return sure < 0 ? 0 : counts.getCountBetweenValues(0, sure);
  }

  @Override
  public String toString() {
    return "%d of mean %.0f, half up to %d, 99 in 100 up to %d, all up to %d"
        .formatted(count(), mean(), quantile(0.5), quantile(0.99), max);
  }
}
