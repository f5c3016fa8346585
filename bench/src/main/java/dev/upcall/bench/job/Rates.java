package dev.upcall.bench.job;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** The units that ended in each second of a run. One thread at a time. */
final class Rates {
  private static final long STEP_NANOS = 1_000_000_000L;
  private static final int FIRST_STEPS = 64;

  /** What ends later is taken for the last step: an hour is longer than any run. */
  private static final int MOST_STEPS = 3_600;

  private final long beginNanos;
  private long[] units = new long[FIRST_STEPS];
  private int steps;

  Rates(long beginNanos) {
    this.beginNanos = beginNanos;
  }

  /** Some have ended. */
  void add(long count, long endedNanos) {
    int step = Math.clamp((endedNanos - beginNanos) / STEP_NANOS, 0, MOST_STEPS - 1);
    if (step >= steps) {
      steps = step + 1;
      if (steps > units.length) {
        units = Arrays.copyOf(units, Math.max(steps, 2 * units.length));
      }
    }
    units[step] += count;
  }

  /** What another thread did, whose run began a little earlier or later. */
  void add(Rates other) {
    for (int step = 0; step < other.steps; step++) {
      if (other.units[step] > 0) {
        add(other.units[step], other.beginNanos + step * STEP_NANOS + STEP_NANOS / 2);
      }
    }
  }

  /** From the first second to the last one in which something ended. */
  List<Long> ofEachSecond() {
    return LongStream.of(units).limit(steps).boxed().toList();
  }
}
