package dev.upcall.bench.harness;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How a run went from its begin to its end.
 *
 * @param unitsOfEachSecond empty when nobody asks; the last second may not be whole
 * @param peaks the longest latency of each step; {@link Timeline#NONE} when nobody asks
 */
public record Course(List<Long> unitsOfEachSecond, Timeline peaks) {
  /** Nobody asks. */
  public static final Course NONE = new Course(List.of(), Timeline.NONE);

  private static final int WINDOW_SECONDS = 30;

  /** Copies the list. */
  public Course {
    unitsOfEachSecond = List.copyOf(unitsOfEachSecond);
  }

  /**
   * The throughput of the last half minute as a part of that of the first; of a run of less than a
   * minute, of its halves. NaN when nobody asks, or the run has no two whole seconds.
   */
  double kept() {
    int whole = unitsOfEachSecond.size() - 1;
    int window = Math.min(WINDOW_SECONDS, whole / 2);
    return window <= 0
        ? Double.NaN
        : (double) sum(unitsOfEachSecond.subList(whole - window, whole))
            / sum(unitsOfEachSecond.subList(0, window));
  }

  private static long sum(List<Long> units) {
    return units.stream().mapToLong(Long::longValue).sum();
  }

  /** As a worker says it, as two of {@link Fields}. */
  public String text() {
    return "peaks=%s each=%s"
        .formatted(
            peaks.text(),
            unitsOfEachSecond.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  /** What a worker has said. */
  public static Course parse(Fields said) {
    return new Course(
        Stream.of(said.text("each").split(",", -1))
            .filter(units -> !units.isEmpty())
            .map(Long::valueOf)
            .toList(),
        Timeline.parse(said.text("peaks")));
  }
}
