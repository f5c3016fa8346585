package dev.upcall.bench.report;

import dev.upcall.bench.harness.Fields;
import java.util.HashMap;
import java.util.List;
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
  /** The part of a core that the compiler took, as a figure of {@link #more}. */
  public static final String COMPILING = "compiler share";

  private static final List<String> TALLY = List.of("units", "nanos", "mean", "p50", "p99");

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

  /** The same with one more figure. */
  public Reading with(String name, double figure) {
    Map<String, Double> all = new HashMap<>(more);
    all.put(name, figure);
    return new Reading(units, seconds, cpuSeconds, response, all);
  }

  /**
   * What a worker says of a run.
   *
   * @param cpuSeconds of the process that served it
   */
  public static Reading of(Fields ran, double cpuSeconds) {
    return new Reading(
        ran.number("units"),
        ran.number("nanos") / 1e9,
        cpuSeconds,
        new Response(ran.decimal("mean"), ran.decimal("p50"), ran.decimal("p99")),
        others(ran));
  }

  /** All numbers in a line but those that every run has. */
  public static Map<String, Double> others(Fields line) {
    Map<String, Double> more = new HashMap<>();
    line.values()
        .forEach(
            (key, value) -> {
              if (!TALLY.contains(key)) {
                more.put(key.replace('-', ' '), Double.parseDouble(value));
              }
            });
    return more;
  }

  /** Units in a second. */
  public double perSecond() {
    return units / seconds;
  }

  /** Processor microseconds of one unit. */
  public double cpuMicros() {
    return units > 0 ? cpuSeconds * 1e6 / units : Double.NaN;
  }

  /**
   * By how much Little's law fails: |N - X R| / N, where N is what was counted as outstanding over
   * time, or else the requests in flight.
   */
  public double littleResidual(int inFlight) {
    double count = more.getOrDefault("outstanding", (double) inFlight);
    return Math.abs(count - perSecond() * response.mean() / 1e6) / count;
  }
}
