package dev.upcall.journal.trace;

/**
 * How long things took: count, sum, the longest, and quantiles to a sixteenth. Durations below 0
 * count as 0.
 */
public final class Spread {
  private static final int SUB_BITS = 4;
  private static final int SUBS = 1 << SUB_BITS;

  private final long[] buckets = new long[Long.SIZE * SUBS];
  private long count;
  private long sumNanos;
  private long maxNanos;

  Spread() {}

  void add(long nanos) {
    long one = Math.max(0, nanos);
    buckets[bucket(one)]++;
    count++;
    sumNanos += one;
    maxNanos = Math.max(maxNanos, one);
  }

  /** How many. */
  public long count() {
    return count;
  }

  /** All together. */
  public long sumNanos() {
    return sumNanos;
  }

  /** The longest; 0 when there is none. */
  public long maxNanos() {
    return maxNanos;
  }

  /** At least as long as so much of all of them, from 0 to 1; 0 when there is none. */
  public long quantileNanos(double share) {
    long wanted = Math.max(1, (long) Math.ceil(share * count));
    long seen = 0;
    for (int bucket = 0; bucket < buckets.length; bucket++) {
      seen += buckets[bucket];
      if (seen >= wanted) {
        return Math.min(maxNanos, highest(bucket));
      }
    }
    return 0;
  }

  private static int bucket(long nanos) {
    if (nanos < SUBS) {
      return (int) nanos;
    }
    int shift = Long.SIZE - 1 - SUB_BITS - Long.numberOfLeadingZeros(nanos);
    return (shift + 1) * SUBS + (int) (nanos >>> shift) - SUBS;
  }

  private static long highest(int bucket) {
    if (bucket < SUBS) {
      return bucket;
    }
    int shift = bucket / SUBS - 1;
    return ((bucket % SUBS + SUBS + 1L) << shift) - 1;
  }
}
