package dev.upcall.bench.report;

import dev.upcall.bench.harness.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A ratio of two sides with its 95 per cent confidence interval: Student's t over the logarithms of
 * the ratios of samples that were taken next to each other. The estimate is their geometric mean.
 *
 * @param estimate the ratio
 * @param low the lower end; NaN with fewer than two pairs
 * @param high the upper end; NaN with fewer than two pairs
 * @param pairs how many pairs of samples
 */
public record Interval(double estimate, double low, double high, int pairs) {
  /** Two-sided 95 per cent, for 1 to 20 degrees of freedom; the last counts for more. */
  private static final double[] STUDENT = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086
  };

  /** How it is computed, for the page. */
  public static final String METHOD =
      "95 % t interval over the logarithms of the ratios of neighbouring samples";

  /** The throughput of a point over that of another of the same repetitions. */
  public static Interval ofThroughput(Point over, Point under) {
    return ofRatio(over, under, Reading::perSecond);
  }

  /** A figure of a point over that of another of the same repetitions. */
  public static Interval ofRatio(Point over, Point under, ToDoubleFunction<Reading> figure) {
    int pairs = Math.min(over.readings().size(), under.readings().size());
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      ratios.add(
          figure.applyAsDouble(over.readings().get(i))
              / figure.applyAsDouble(under.readings().get(i)));
    }
    return ofRatios(ratios);
  }

  /** Of ratios, which are above 0. */
  public static Interval ofRatios(List<Double> ratios) {
    Interval logs = ofValues(ratios.stream().map(Math::log).toList());
    return new Interval(
        Math.exp(logs.estimate), Math.exp(logs.low), Math.exp(logs.high), logs.pairs);
  }

  /** Of plain figures: their mean, and an interval over themselves instead of their logarithms. */
  public static Interval ofValues(List<Double> values) {
    int count = values.size();
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    if (count < 2 || !Double.isFinite(mean)) {
      return new Interval(mean, Double.NaN, Double.NaN, count);
    }
    double squares = 0;
    for (double one : values) {
      squares += (one - mean) * (one - mean);
    }
    double half =
        STUDENT[Math.min(count - 1, STUDENT.length) - 1]
            * Math.sqrt(squares / (count - 1))
            / Math.sqrt(count);
    return new Interval(mean, mean - half, mean + half, count);
  }

  /** What is known of the ratio being at least something. */
  public Verdict atLeast(double limit) {
    if (Double.isNaN(low)) {
      return Verdict.UNDECIDED;
    }
    return low >= limit ? Verdict.HOLDS : high < limit ? Verdict.FAILS : Verdict.UNDECIDED;
  }

  /** What is known of the ratio being below something. */
  public Verdict below(double limit) {
    return switch (atLeast(limit)) {
      case HOLDS -> Verdict.FAILS;
      case FAILS -> Verdict.HOLDS;
      case UNDECIDED -> Verdict.UNDECIDED;
    };
  }

  /** What is known of the ratio lying between two limits. */
  public Verdict within(double least, double most) {
    if (Double.isNaN(low)) {
      return Verdict.UNDECIDED;
    }
    if (low >= least && high <= most) {
      return Verdict.HOLDS;
    }
    return high < least || low > most ? Verdict.FAILS : Verdict.UNDECIDED;
  }

  /** As in {@code 1.21 (1.17 to 1.25)}. */
  @Override
  public String toString() {
    return Double.isNaN(low)
        ? Numbers.ratio(estimate)
        : "%s (%s to %s)"
            .formatted(Numbers.ratio(estimate), Numbers.ratio(low), Numbers.ratio(high));
  }

  /** The throughput of sides over that of another at a load, where both were measured. */
  public static List<Interval> of(Sweep sweep, String over, String under, int load) {
    return sweep
        .at(over, load)
        .flatMap(top -> sweep.at(under, load).map(bottom -> ofThroughput(top, bottom)))
        .stream()
        .toList();
  }
}
