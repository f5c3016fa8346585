package dev.upcall.bench.job;

import dev.upcall.bench.harness.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The longest that ended in each hundredth of a second of a run. One thread at a time. */
final class Peaks {
  private static final int STEP_MILLIS = 10;
  private static final long STEP_NANOS = STEP_MILLIS * 1_000_000L;
  private static final int FIRST_STEPS = 1024;

  /** What ends later is taken for the last step: an hour is longer than any run. */
  private static final int MOST_STEPS = 360_000;

  private final long beginNanos;
  private long[] longestNanos = new long[FIRST_STEPS];
  private int steps;

  Peaks(long beginNanos) {
    this.beginNanos = beginNanos;
  }

  /** Something has ended. */
  void add(long nanos, long endedNanos) {
    int step = Math.clamp((endedNanos - beginNanos) / STEP_NANOS, 0, MOST_STEPS - 1);
    if (step >= steps) {
      steps = step + 1;
      if (steps > longestNanos.length) {
        longestNanos = Arrays.copyOf(longestNanos, Math.max(steps, 2 * longestNanos.length));
      }
    }
    longestNanos[step] = Math.max(longestNanos[step], nanos);
  }

  /** What another thread saw, whose run began a little earlier or later. */
  void add(Peaks other) {
    for (int step = 0; step < other.steps; step++) {
      if (other.longestNanos[step] > 0) {
        add(other.longestNanos[step], other.beginNanos + step * STEP_NANOS + STEP_NANOS / 2);
      }
    }
  }

  /** In steps of a length, a multiple of ours. */
  Timeline timeline(int stepMillis) {
    int each = Math.max(1, stepMillis / STEP_MILLIS);
    List<Long> micros = new ArrayList<>();
    for (int first = 0; first < steps; first += each) {
      long longest = 0;
      for (int step = first; step < Math.min(steps, first + each); step++) {
        longest = Math.max(longest, longestNanos[step]);
      }
      micros.add((longest + 999) / 1000);
    }
    return new Timeline(each * STEP_MILLIS, micros);
  }
}
