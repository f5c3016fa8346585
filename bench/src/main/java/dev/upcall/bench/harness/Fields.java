package dev.upcall.bench.harness;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A line of {@code key=value} pairs behind a word: what the processes of a comparison say to each
 * other. Values contain no blanks.
 *
 * @param word the first word
 * @param values the rest by key
 */
public record Fields(String word, Map<String, String> values) {
  /** Takes a line apart. */
  public static Fields parse(String line) {
    String[] parts = line.strip().split(" +", -1);
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals > 0) {
        values.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
      }
    }
    return new Fields(parts[0], values);
  }

  /** A value that must be there. */
  public String text(String key) {
    String value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException(word + " lacks " + key + ": " + values);
    }
    return value;
  }

  /** A whole number that must be there. */
  public long number(String key) {
    return Long.parseLong(text(key));
  }

  /** A number that must be there. */
  public double decimal(String key) {
    return Double.parseDouble(text(key));
  }
}
