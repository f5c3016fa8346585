package dev.upcall.bench.harness;

import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What is printed of repeated samples.
 *
 * @param median the middle one, or the mean of the two in the middle
 * @param least the smallest
 * @param most the largest
 */
public record Statistics(double median, double least, double most) {
  /** Statistics of values, at least one, none of them unknown. */
  public static Statistics of(Collection<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0 || Arrays.stream(sorted).anyMatch(Double::isNaN)) {
      throw new IllegalArgumentException("no statistics of " + values);
    }
    int half = sorted.length / 2;
    double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    return new Statistics(median, sorted[0], sorted[sorted.length - 1]);
  }

  /** Statistics of values; null when there are none or one is unknown (not finite). */
  public static @Nullable Statistics known(Collection<Double> values) {
    return values.isEmpty() || !values.stream().allMatch(Double::isFinite) ? null : of(values);
  }

  /** How far the samples lie apart, as a part of the median: 0.1 is ten per cent. */
  public double spread() {
    return median == 0 ? 0 : (most - least) / median;
  }

  /** This median as a multiple of another. */
  public double ratioTo(Statistics other) {
    return other.median == 0 ? Double.NaN : median / other.median;
  }
}
