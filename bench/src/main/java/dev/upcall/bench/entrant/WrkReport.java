package dev.upcall.bench.entrant;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What wrk printed with {@code --latency}.
 *
 * @param requests answered with a status below 400
 * @param seconds how long it took
 * @param p50Micros the median latency
 * @param p99Micros the 99th percentile
 * @param series requests of each second, begun with the first; empty where the load does not count
 */
record WrkReport(
    long requests, double seconds, double p50Micros, double p99Micros, List<Long> series) {
  private static final String TIME = "([0-9.]+)(us|ms|s|m|h)";
  private static final Pattern TOTAL = Pattern.compile("(\\d+) requests in " + TIME);
  private static final Pattern P50 = Pattern.compile("(?m)^\\s+50%\\s+" + TIME);
  private static final Pattern P99 = Pattern.compile("(?m)^\\s+99%\\s+" + TIME);
  private static final Pattern SERIES = Pattern.compile("(?m)^series((?: \\d+)*)$");
  private static final Pattern BAD_STATUS = Pattern.compile("Non-2xx or 3xx responses: (\\d+)");
  private static final Pattern SOCKET_ERRORS = Pattern.compile("Socket errors: (.*)");

  /** Reads a report; one with failed requests is a failure. */
  static WrkReport parse(String text) throws IOException {
    Matcher total = TOTAL.matcher(text);
    Matcher p50 = P50.matcher(text);
    Matcher p99 = P99.matcher(text);
    if (!total.find() || !p50.find() || !p99.find()) {
      throw new IOException("no report of wrk: " + text.strip());
    }
    Matcher status = BAD_STATUS.matcher(text);
    if (status.find()) {
      throw new IOException(status.group(1) + " answers were errors");
    }
    Matcher errors = SOCKET_ERRORS.matcher(text);
    if (errors.find()) {
      throw new IOException("wrk had socket errors: " + errors.group(1));
    }
    return new WrkReport(
        Long.parseLong(total.group(1)),
        micros(total.group(2), total.group(3)) / 1e6,
        micros(p50.group(1), p50.group(2)),
        micros(p99.group(1), p99.group(2)),
        series(text));
  }

  private static List<Long> series(String text) {
    Matcher series = SERIES.matcher(text);
    return series.find()
        ? Pattern.compile(" ").splitAsStream(series.group(1).strip()).map(Long::valueOf).toList()
        : List.of();
  }

  private static double micros(String number, String unit) {
    double value = Double.parseDouble(number);
    return switch (unit) {
      case "us" -> value;
      case "ms" -> value * 1e3;
      case "s" -> value * 1e6;
      case "m" -> value * 60e6;
      default -> value * 3600e6;
    };
  }
}
