package dev.upcall.bench.report;

import dev.upcall.bench.harness.Numbers;
import java.util.List;

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
  static final String METHOD =
      "95 % t interval over the logarithms of the ratios of neighbouring samples";

  /** The throughput of a point over that of another of the same load. */
  public static Interval ofThroughput(Point over, Point under) {
    int pairs = Math.min(over.readings().size(), under.readings().size());
    double[] logs = new double[pairs];
    for (int i = 0; i < pairs; i++) {
      logs[i] = Math.log(over.readings().get(i).perSecond() / under.readings().get(i).perSecond());
    }
    return of(logs);
  }

  private static Interval of(double[] logs) {
    int count = logs.length;
    double mean = java.util.Arrays.stream(logs).average().orElse(Double.NaN);
    if (count < 2) {
      return new Interval(Math.exp(mean), Double.NaN, Double.NaN, count);
    }
    double squares = 0;
    for (double one : logs) {
      squares += (one - mean) * (one - mean);
    }
    double half =
        STUDENT[Math.min(count - 1, STUDENT.length) - 1]
            * Math.sqrt(squares / (count - 1))
            / Math.sqrt(count);
    return new Interval(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), count);
  }

  /** What is known of the ratio being at least something. */
  public Verdict atLeast(double limit) {
    if (Double.isNaN(low)) {
      return Verdict.UNDECIDED;
    }
    return low >= limit ? Verdict.HOLDS : high < limit ? Verdict.FAILS : Verdict.UNDECIDED;
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
  static List<Interval> of(Sweep sweep, String over, String under, int load) {
    return sweep
        .at(over, load)
        .flatMap(top -> sweep.at(under, load).map(bottom -> ofThroughput(top, bottom)))
        .stream()
        .toList();
  }
}
