package dev.upcall.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The longest latency of each step of a run.
 *
 * @param stepMillis how long a step is
 * @param longestMicros of what ended in each, in microseconds; 0 where nothing did
 */
public record Timeline(int stepMillis, List<Long> longestMicros) {
  /** Nobody has looked. */
  public static final Timeline NONE = new Timeline(1, List.of());

  /** Copies the list. */
  public Timeline {
    longestMicros = List.copyOf(longestMicros);
  }

  /** Whether nobody has looked. */
  public boolean isEmpty() {
    return longestMicros.isEmpty();
  }

  /** As a worker says it: without blanks, and nothing for nothing. */
  public String text() {
    return longestMicros.stream()
        .map(micros -> micros == 0 ? "" : micros.toString())
        .collect(Collectors.joining(",", stepMillis + ":", ""));
  }

  /** What a worker has said. */
  public static Timeline parse(String text) {
    int colon = text.indexOf(':');
    List<Long> micros = new ArrayList<>();
    for (String each : text.substring(colon + 1).split(",", -1)) {
      micros.add(each.isEmpty() ? 0 : Long.parseLong(each));
    }
    return new Timeline(Integer.parseInt(text.substring(0, colon)), micros);
  }
}
