package dev.upcall.fsm.meter;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How often each size of a number was seen since the start: latencies in nanoseconds, records of a
 * batch. Numbers up to 31 are kept exactly, larger ones to a sixteenth of themselves (HdrHistogram
 * with one decimal digit): precise enough to say what the 99th percentile is, and small enough (5
 * KB) that a copy of all distributions of a store fits into one upcall.
 *
 * <p>Plain fields of the owner's thread. Recording costs some nanoseconds and allocates nothing
 * after the first time.
 */
public final class Distribution {
  /** The largest number that is told apart from larger ones: as nanoseconds, 18 minutes. */
  public static final long MAX_VALUE = (1L << 40) - 1;

  private static final int DIGITS = 1;

  private @Nullable Histogram histogram;
  private DistributionSnapshot last = DistributionSnapshot.EMPTY;
  private long sum;
  private long max;

  /** An empty distribution. */
  public Distribution() {}

  /** Counts one number; a negative one as 0, one above {@link #MAX_VALUE} as that. */
  public void record(long value) {
    Histogram counts = histogram;
    if (counts == null) {
      counts = new Histogram(1, MAX_VALUE, DIGITS);
      histogram = counts;
    }
    long kept = Math.clamp(value, 0, MAX_VALUE);
    counts.recordValue(kept);
    sum += kept;
    max = Math.max(max, kept);
  }

  /** How many numbers were recorded. */
  public long count() {
    Histogram counts = histogram;
    return counts == null ? 0 : counts.getTotalCount();
  }

  /**
   * A copy for any thread, about a microsecond's work; the one before if nothing was recorded
   * since.
   */
  public DistributionSnapshot snapshot() {
    Histogram counts = histogram;
    if (counts != null && counts.getTotalCount() != last.count()) {
      last = new DistributionSnapshot(counts.copy(), sum, max);
    }
    return last;
  }
}
