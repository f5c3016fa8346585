package dev.upcall.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of numbers over time.
 *
 * @param meter what it counts
 * @param tags names and values by turns, the same names for all series of a meter
 */
record Series(Meter meter, List<String> tags) {
  /** How a number behaves. */
  enum Kind {
    /** Goes up and down. */
    LEVEL,
    /** Only goes up. */
    COUNT,
    /** How often each size was seen: count, sum, maximum, quantiles. */
    SPREAD
  }

  /**
   * What is counted.
   *
   * @param name as Micrometer writes it
   * @param kind how it behaves
   * @param unit in what it is counted
   * @param meaning in a few words
   */
  record Meter(String name, Kind kind, String unit, String meaning) {
    /** The unit of times. */
    static final String SECONDS = "seconds";

    /** The unit of sizes. */
    static final String BYTES = "bytes";

    /** The unit as registries know it: of times and sizes, none where things are counted. */
    @Nullable String baseUnit() {
      return isTime() || unit.equals(BYTES) ? unit : null;
    }

    /** Whether it is a time. */
    boolean isTime() {
      return unit.equals(SECONDS);
    }
  }

  /** Copies the tags. */
  Series {
    tags = List.copyOf(tags);
  }
}
