package dev.upcall.bench.harness;

/**
 * What one run of an entrant gave.
 *
 * @param units how many requests, files or bytes were done
 * @param seconds how long it took
 * @param cpuSeconds processor time of the whole process that did them, kernel time included; NaN
 *     when unknown
 * @param latencies of single units
 * @param course how it went; {@link Course#NONE} when nobody asks
 */
public record Sample(
    double units, double seconds, double cpuSeconds, Latencies latencies, Course course) {
  /** A sample as a whole. */
  public Sample(double units, double seconds, double cpuSeconds, Latencies latencies) {
    this(units, seconds, cpuSeconds, latencies, Course.NONE);
  }

  /** A sample without latencies. */
  public static Sample of(double units, double seconds, double cpuSeconds) {
    return new Sample(units, seconds, cpuSeconds, Latencies.NONE);
  }

  /** The median latency; NaN when unknown. */
  public double p50Micros() {
    return latencies.p50Micros();
  }

  /** The 99th percentile of the latency; NaN when unknown. */
  public double p99Micros() {
    return latencies.p99Micros();
  }

  /** Units in a second. */
  public double perSecond() {
    return units / seconds;
  }

  /** Units for each second of processor time; NaN when that is unknown or too short to tell. */
  public double perCpuSecond() {
    return cpuSeconds > 0 ? units / cpuSeconds : Double.NaN;
  }

  /** Processor microseconds of one unit; NaN when unknown. */
  public double cpuMicrosPerUnit() {
    return units > 0 ? cpuSeconds * 1e6 / units : Double.NaN;
  }
}
