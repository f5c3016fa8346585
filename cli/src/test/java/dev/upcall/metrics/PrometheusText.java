package dev.upcall.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A strict reading of the text format of Prometheus, version 0.0.4, written down from its
 * description: what it takes, Prometheus takes.
 */
final class PrometheusText {
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Pattern HELP = Pattern.compile("# HELP (" + NAME + ") (.*)");
  private static final Pattern TYPE =
      Pattern.compile("# TYPE (" + NAME + ") (counter|gauge|histogram|summary|untyped)");
  private static final Pattern SAMPLE =
      Pattern.compile("(" + NAME + ")(?:\\{(.*)})? ([-+0-9.eE]+|NaN|[-+]Inf)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

  /** Types by family, in the order of the text. */
  final Map<String, String> types = new LinkedHashMap<>();

  /** Values by name with labels as written. */
  final Map<String, Double> values = new LinkedHashMap<>();

  private final List<String> faults = new ArrayList<>();
  private String family = "";

  private PrometheusText() {}

  /** Reads a text; throws when it is wrong anywhere. */
  static PrometheusText parse(String text) {
    PrometheusText read = new PrometheusText();
    if (!text.endsWith("\n")) {
      read.faults.add("the last line does not end");
    }
    text.lines().forEach(read::line);
    read.checkHistograms();
    if (!read.faults.isEmpty()) {
      throw new AssertionError(String.join("\n", read.faults));
    }
    return read;
  }

  private void line(String line) {
    Matcher type = TYPE.matcher(line);
    Matcher sample = SAMPLE.matcher(line);
    if (type.matches()) {
      family = type.group(1);
      check(types.put(family, type.group(2)) == null, "two types of " + family);
    } else if (line.startsWith("#")) {
      check(HELP.matcher(line).matches(), "neither HELP nor TYPE: " + line);
    } else if (sample.matches()) {
      String labels = sample.group(2) == null ? "" : sample.group(2);
      checkLabels(labels, line);
      check(belongs(sample.group(1)), "not of the family " + family + ": " + line);
      String key = sample.group(1) + (labels.isEmpty() ? "" : "{" + labels + "}");
      double value = Double.parseDouble(sample.group(3).replace("Inf", "Infinity"));
      check(values.put(key, value) == null, "twice: " + line);
      if ("counter".equals(types.get(family))) {
        check(value >= 0, "a counter below nothing: " + line);
      }
    } else {
      faults.add("not a line of the format: " + line);
    }
  }

  private boolean belongs(String name) {
    if (name.equals(family)) {
      return true;
    }
    List<String> ends =
        switch (String.valueOf(types.get(family))) {
          case "histogram" -> List.of("_bucket", "_sum", "_count");
          case "summary" -> List.of("_sum", "_count");
          default -> List.of();
        };
    return ends.stream().anyMatch(end -> name.equals(family + end));
  }

  private void checkLabels(String labels, String line) {
    int at = 0;
    Matcher label = LABEL.matcher(labels);
    while (at < labels.length()) {
      if (!label.find(at) || label.start() != at) {
        faults.add("labels: " + line);
        return;
      }
      at = label.end();
    }
  }

  /** Buckets never fall, and the last one holds all. */
  private void checkHistograms() {
    Map<String, Double> before = new LinkedHashMap<>();
    values.forEach(
        (key, value) -> {
          int le = key.indexOf("le=\"");
          if (le < 0 || !key.contains("_bucket{")) {
            return;
          }
          String series = key.substring(0, le);
          Double last = before.put(series, value);
          check(last == null || last <= value, "a bucket below the one before: " + key);
          if (key.contains("le=\"+Inf\"")) {
            String rest = series.endsWith(",") ? series.substring(0, series.length() - 1) : series;
            String count = (rest + "}").replace("_bucket{", "_count{").replace("{}", "");
            check(value.equals(values.get(count)), key + " against " + count);
            before.remove(series);
          }
        });
    check(before.isEmpty(), "without +Inf: " + before.keySet());
  }

  private void check(boolean fact, String fault) {
    if (!fact) {
      faults.add(fault);
    }
  }

  /** One value; fails if it is not there. */
  double value(String key) {
    Double value = values.get(key);
    if (value == null) {
      throw new AssertionError("no " + key + " among " + values.keySet());
    }
    return value;
  }
}
