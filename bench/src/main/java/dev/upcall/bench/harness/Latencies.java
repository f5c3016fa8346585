package dev.upcall.bench.harness;

/**
 * How long single units took, in microseconds; NaN where it is unknown.
 *
 * @param p50Micros the median
 * @param p99Micros the 99th percentile
 * @param p999Micros the 99.9th percentile
 * @param longestMicros the longest
 */
public record Latencies(
    double p50Micros, double p99Micros, double p999Micros, double longestMicros) {
  /** Nothing is known. */
  public static final Latencies NONE =
      new Latencies(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  /** Of one that tells median and 99th percentile only. */
  public static Latencies of(double p50Micros, double p99Micros) {
    return new Latencies(p50Micros, p99Micros, Double.NaN, Double.NaN);
  }
}
