package dev.upcall.bench.harness;

import java.util.List;

/**
 * How a run went from its begin to its end.
 *
 * @param unitsOfEachSecond empty when nobody asks
 * @param peaks the longest latency of each step; {@link Timeline#NONE} when nobody asks
 */
public record Course(List<Long> unitsOfEachSecond, Timeline peaks) {
  /** Nobody asks. */
  public static final Course NONE = new Course(List.of(), Timeline.NONE);

  /** Copies the list. */
  public Course {
    unitsOfEachSecond = List.copyOf(unitsOfEachSecond);
  }
}
