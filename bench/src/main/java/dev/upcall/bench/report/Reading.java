package dev.upcall.bench.report;

import java.util.Map;

/**
 * One sample of a closed loop.
 *
 * @param units cycles or requests that were completed
 * @param seconds in which they were
 * @param cpuSeconds processor time of the process that served them, kernel time included
 * @param response times of one, in microseconds
 * @param more other figures by name, already on average or as they are
 */
public record Reading(
    double units, double seconds, double cpuSeconds, Response response, Map<String, Double> more) {
  /** Copies the map. */
  public Reading {
    more = Map.copyOf(more);
  }

  /**
   * Response times in microseconds.
   *
   * @param mean of all
   * @param p50 the median
   * @param p99 the 99th percentile
   */
  public record Response(double mean, double p50, double p99) {}

  /** Units in a second. */
  public double perSecond() {
    return units / seconds;
  }

  /** Processor microseconds of one unit. */
  public double cpuMicros() {
    return units > 0 ? cpuSeconds * 1e6 / units : Double.NaN;
  }

  /** By how much Little's law fails with so many in flight: |N - X R| / N. */
  public double littleResidual(int inFlight) {
    return Math.abs(inFlight - perSecond() * response.mean() / 1e6) / inFlight;
  }
}
