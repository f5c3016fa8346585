package dev.upcall.specweb.report;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Response time over throughput, as a drawing inside a page. */
final class Curve {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 340;
  private static final int LEFT = 64;
  private static final int RIGHT = 96;
  private static final int TOP = 16;
  private static final int BOTTOM = 48;
  private static final int TICKS = 5;

  /**
   * A measured point.
   *
   * @param opsPerSecond throughput
   * @param meanMillis mean response time
   * @param p99Millis 99th percentile from the intended start
   * @param valid whether it counts
   */
  record Point(double opsPerSecond, double meanMillis, double p99Millis, boolean valid) {}

  private final List<Point> points;
  private final double mostX;
  private final double mostY;
  private final StringBuilder svg = new StringBuilder();

  private Curve(List<Point> points) {
    this.points = points;
    mostX = ceiling(points.stream().mapToDouble(Point::opsPerSecond).max().orElse(1));
    mostY =
        ceiling(
            points.stream()
                .mapToDouble(point -> Math.max(point.meanMillis(), point.p99Millis()))
                .max()
                .orElse(1));
  }

  /** The drawing, as an {@code svg} element. */
  static String of(List<Point> points) {
    Curve curve = new Curve(points);
    curve.draw();
    return curve.svg.toString();
  }

  /** The next number of the form 1, 2, 2.5 or 5 times a power of ten, so that ticks are round. */
  static double ceiling(double most) {
    if (!(most > 0)) {
      return 1;
    }
    double power = Math.pow(10, Math.floor(Math.log10(most)));
    for (double step : new double[] {1, 2, 2.5, 5}) {
      if (most <= step * power) {
        return step * power;
      }
    }
    return 10 * power;
  }

  private void draw() {
    line(
        "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"Response time in milliseconds over"
            + " throughput in operations a second\">",
        WIDTH, HEIGHT);
    for (int i = 0; i <= TICKS; i++) {
      double x = mostX * i / TICKS;
      double y = mostY * i / TICKS;
      line(
          "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>",
          LEFT, WIDTH - RIGHT, y(y), y(y));
      line("<text x=\"%d\" y=\"%.1f\" class=\"end\">%s</text>", LEFT - 8, y(y) + 4, show(y));
      line(
          "<text x=\"%.1f\" y=\"%d\" class=\"middle\">%s</text>",
          x(x), HEIGHT - BOTTOM + 18, show(x));
    }
    line(
        "<text x=\"%d\" y=\"%d\" class=\"middle\">throughput, ops/s</text>",
        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
    line(
        "<text transform=\"translate(14 %d) rotate(-90)\" class=\"middle\">response time, ms</text>",
        (TOP + HEIGHT - BOTTOM) / 2);
    series("p99", "99th percentile", Point::p99Millis);
    series("mean", "mean", Point::meanMillis);
    svg.append("</svg>\n");
  }

  private void series(String style, String label, ToDoubleFunction<Point> millis) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      path.append(path.isEmpty() ? "M" : "L")
          .append(
              String.format(
                  Locale.ROOT,
                  "%.1f %.1f",
                  x(point.opsPerSecond()),
                  y(millis.applyAsDouble(point))));
    }
    if (points.isEmpty()) {
      return;
    }
    line("<path class=\"%s\" d=\"%s\"/>", style, path);
    for (Point point : points) {
      line(
          "<circle class=\"%s%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%s ops/s: %s %s"
              + " ms%s</title></circle>",
          style,
          point.valid() ? "" : " invalid",
          x(point.opsPerSecond()),
          y(millis.applyAsDouble(point)),
          show(point.opsPerSecond()),
          label,
          show(millis.applyAsDouble(point)),
          point.valid() ? "" : " (invalid)");
    }
    Point last = points.getLast();
    line(
        "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>",
        x(last.opsPerSecond()) + 8, y(millis.applyAsDouble(last)) + 4, style, label);
  }

  private double x(double opsPerSecond) {
    return LEFT + (WIDTH - RIGHT - LEFT) * opsPerSecond / mostX;
  }

  private double y(double millis) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * millis / mostY;
  }

  private static String show(double value) {
    return ReportPage.show(value);
  }

  private void line(String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}
