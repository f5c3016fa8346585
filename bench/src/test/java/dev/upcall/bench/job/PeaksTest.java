package dev.upcall.bench.job;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.bench.harness.Timeline;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeaksTest {
  private static final long MILLI = 1_000_000;

  @Test
  void eachStepHasItsLongest() {
    Peaks peaks = new Peaks(1000);
    peaks.add(5_000, 1000 + 3 * MILLI);
    peaks.add(7_001, 1000 + 9 * MILLI);
    peaks.add(6_000, 1000 + 9 * MILLI);
    peaks.add(4_000, 1000 + 35 * MILLI);
    assertEquals(new Timeline(10, List.of(8L, 0L, 0L, 4L)), peaks.timeline(10));
    assertEquals(new Timeline(20, List.of(8L, 4L)), peaks.timeline(20));
  }

  @Test
  void threadsThatBeganElsewhereComeTogether() {
    Peaks peaks = new Peaks(0);
    peaks.add(1_000, 5 * MILLI);
    Peaks other = new Peaks(20 * MILLI);
    other.add(9_000, 25 * MILLI);
    other.add(3_000, 2_000_000 * MILLI);
    peaks.add(other);
    List<Long> steps = peaks.timeline(10).longestMicros();
    assertEquals(List.of(1L, 0L, 9L), steps.subList(0, 3));
    assertEquals(3L, steps.getLast());
  }
}
