package dev.upcall.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A straight line through points by least squares.
 *
 * @param slope y for each x
 * @param intercept y where x is 0
 * @param r2 the part of the variance of y that the line explains
 */
public record Fit(double slope, double intercept, double r2) {
  /** Through at least two different x; all NaN when there are fewer. */
  public static <T> Fit of(List<T> points, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
    double meanX = points.stream().mapToDouble(x).average().orElse(Double.NaN);
    double meanY = points.stream().mapToDouble(y).average().orElse(Double.NaN);
    double xx = 0;
    double xy = 0;
    double yy = 0;
    for (T point : points) {
      double dx = x.applyAsDouble(point) - meanX;
      double dy = y.applyAsDouble(point) - meanY;
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
    }
    if (!(xx > 0)) {
      return new Fit(Double.NaN, Double.NaN, Double.NaN);
    }
    double slope = xy / xx;
    return new Fit(slope, meanY - slope * meanX, yy > 0 ? xy * xy / (xx * yy) : 1);
  }
}
