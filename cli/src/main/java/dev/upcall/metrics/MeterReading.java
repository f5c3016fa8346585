package dev.upcall.metrics;

import dev.upcall.fsm.meter.DistributionSnapshot;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * All series of one snapshot with their numbers; filled by the {@link Catalogue}, then read only.
 */
final class MeterReading {
  private static final double NANOS = 1e-9;

  private final Map<Series, Double> numbers = new LinkedHashMap<>();
  private final Map<Series, DistributionSnapshot> spreads = new LinkedHashMap<>();

  /** A number that goes up and down. */
  void level(String name, String unit, String meaning, long value, String... tags) {
    put(new Series.Meter(name, Series.Kind.LEVEL, unit, meaning), (double) value, tags);
  }

  /** A time that goes up and down. */
  void levelTime(String name, String meaning, long nanos) {
    put(new Series.Meter(name, Series.Kind.LEVEL, Series.Meter.SECONDS, meaning), nanos * NANOS);
  }

  /** A number that only goes up. */
  void count(String name, String unit, String meaning, long value, String... tags) {
    put(new Series.Meter(name, Series.Kind.COUNT, unit, meaning), (double) value, tags);
  }

  /** A time that only goes up. */
  void time(String name, String meaning, long nanos, String... tags) {
    put(
        new Series.Meter(name, Series.Kind.COUNT, Series.Meter.SECONDS, meaning),
        nanos * NANOS,
        tags);
  }

  /** How often each size was seen; in nanoseconds where the unit is seconds. */
  void spread(
      String name, String unit, String meaning, DistributionSnapshot spread, String... tags) {
    Series.Meter meter = new Series.Meter(name, Series.Kind.SPREAD, unit, meaning);
    spreads.put(new Series(meter, Arrays.asList(tags)), spread);
  }

  /** How long things took. */
  void latency(String name, String meaning, DistributionSnapshot nanos, String... tags) {
    spread(name, Series.Meter.SECONDS, meaning, nanos, tags);
  }

  private void put(Series.Meter meter, double value, String... tags) {
    numbers.put(new Series(meter, Arrays.asList(tags)), value);
  }

  /** All levels and counts. */
  Set<Series> numbers() {
    return Collections.unmodifiableSet(numbers.keySet());
  }

  /** All spreads. */
  Set<Series> spreads() {
    return Collections.unmodifiableSet(spreads.keySet());
  }

  /** The number of a level or count; of one that is not there any more, none. */
  double number(Series series) {
    return numbers.getOrDefault(series, Double.NaN);
  }

  /** A spread; empty if it is not there. */
  DistributionSnapshot spread(Series series) {
    return spreads.getOrDefault(series, DistributionSnapshot.EMPTY);
  }

  /** What one of a spread's own units is in the base unit. */
  static double scale(Series.Meter meter) {
    return meter.isTime() ? NANOS : 1;
  }
}
