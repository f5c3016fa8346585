package dev.upcall.specweb.run;

import java.util.List;

/** Whether the throughput of rounds, one after the other, has stopped changing. Pure. */
public final class Steadiness {
  /** By so much throughput of two rounds may differ from that of the two before. */
  private static final double STEADY_DRIFT = 0.05;

  /** Rounds of each half where throughput scatters by more than that, as with checkpoints. */
  private static final int HALF = 6;

  /** By so much, and by two standard errors of their difference, the halves may differ then. */
  private static final double HALVES_DRIFT = 0.15;

  private static final double ERRORS = 2;

  private Steadiness() {}

  /**
   * Whether throughput changes no more: the last two rounds are like the two before; or, where they
   * scatter too widely for that, the last six like the six before, as far as their scatter tells.
   */
  public static boolean isSteady(List<Double> throughput) {
    if (drift(throughput) <= STEADY_DRIFT) {
      return true;
    }
    int count = throughput.size();
    if (count < 2 * HALF) {
      return false;
    }
    List<Double> earlier = throughput.subList(count - 2 * HALF, count - HALF);
    List<Double> last = throughput.subList(count - HALF, count);
    double change = Math.abs(mean(last) - mean(earlier));
    double error = Math.sqrt((variance(last) + variance(earlier)) / HALF);
    return change <= HALVES_DRIFT * mean(earlier) && change <= ERRORS * error;
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  private static double variance(List<Double> values) {
    double mean = mean(values);
    return values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum()
        / (values.size() - 1);
  }

  /** How far the last two rounds are from the two before; NaN when there are not so many. */
  public static double drift(List<Double> throughput) {
    int count = throughput.size();
    if (count < 4) {
      return Double.NaN;
    }
    double last = throughput.get(count - 1) + throughput.get(count - 2);
    double earlier = throughput.get(count - 3) + throughput.get(count - 4);
    return Math.abs(last / earlier - 1);
  }
}
