package dev.upcall.bench.experiment;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.upcall.bench.harness.Sample;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what fio prints with {@code --output-format=json}. */
final class FioReport {
  private FioReport() {}

  /**
   * The sample of the first job (or group) of a report: reads and writes together, latencies of
   * whichever there were, processor time of the job's threads.
   */
  static Sample parse(String text) throws IOException {
    // Warnings may stand before the report.
    int begin = text.indexOf('{');
    Map<String, Double> numbers = begin < 0 ? Map.of() : numbers(text.substring(begin));
    if (!numbers.containsKey("jobs.0.job_runtime")) {
      throw new IOException("no report of fio: " + text.lines().findFirst().orElse("nothing"));
    }
    if (number(numbers, "error") != 0) {
      throw new IOException("fio failed with error " + number(numbers, "error"));
    }
    String side = number(numbers, "read.total_ios") > 0 ? "read" : "write";
    double percent = number(numbers, "usr_cpu") + number(numbers, "sys_cpu");
    return new Sample(
        number(numbers, side + ".total_ios"),
        number(numbers, side + ".runtime") / 1e3,
        percent / 100 * number(numbers, "job_runtime") / 1e3,
        latency(numbers, side, "50.000000"),
        latency(numbers, side, "99.000000"));
  }

  private static double number(Map<String, Double> numbers, String name) {
    return numbers.getOrDefault("jobs.0." + name, 0.0);
  }

  private static double latency(Map<String, Double> numbers, String side, String percentile) {
    Double nanos = numbers.get("jobs.0." + side + ".clat_ns.percentile." + percentile);
    return nanos == null ? Double.NaN : nanos / 1e3;
  }

  /** All numbers of a document by their way to it, elements of arrays by their place. */
  private static Map<String, Double> numbers(String json) throws IOException {
    Map<String, Double> numbers = new HashMap<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      parser.nextToken();
      collect(parser, "", numbers);
    }
    return numbers;
  }

  private static void collect(JsonParser parser, String path, Map<String, Double> numbers)
      throws IOException {
    boolean array = parser.currentToken() == JsonToken.START_ARRAY;
    int place = 0;
    for (JsonToken token = parser.nextToken();
        token != null && token != JsonToken.END_OBJECT && token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      @Nullable String name = array ? Integer.toString(place++) : parser.currentName();
      String here = path.isEmpty() ? String.valueOf(name) : path + "." + name;
      if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
        collect(parser, here, numbers);
      } else if (token.isNumeric()) {
        numbers.put(here, parser.getDoubleValue());
      }
    }
  }
}
