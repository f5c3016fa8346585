package dev.upcall.specweb.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Response time over throughput, as a drawing inside a page. */
final class Curve {
  private Curve() {}

  /**
   * A measured point.
   *
   * @param opsPerSecond throughput
   * @param meanMillis mean response time
   * @param p99Millis 99th percentile from the intended start
   * @param valid whether it counts
   */
  record Point(double opsPerSecond, double meanMillis, double p99Millis, boolean valid) {}

  /** The drawing, as an {@code svg} element. */
  static String of(List<Point> points) {
    return Plot.of(
        "Response time in milliseconds over throughput in operations a second",
        new Plot.Scale("throughput, ops/s", /* logarithmic= */ false),
        new Plot.Scale("response time, ms", /* logarithmic= */ false),
        List.of(
            series("99th percentile", "p99", points, Point::p99Millis),
            series("mean", "mean", points, Point::meanMillis)));
  }

  private static Plot.Series series(
      String label, String style, List<Point> points, ToDoubleFunction<Point> millis) {
    return new Plot.Series(
        label,
        style,
        points.stream()
            .map(
                point ->
                    new Plot.Point(
                        point.opsPerSecond(), millis.applyAsDouble(point), point.valid()))
            .toList());
  }
}
