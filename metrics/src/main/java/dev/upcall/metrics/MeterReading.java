package dev.upcall.metrics;

import dev.upcall.fsm.meter.DistributionSnapshot;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * All series of one snapshot with their numbers: filled from it, then read only. One thread at a
 * time fills it; then any may read. Names are as Micrometer writes them (lower case, dots, begun by
 * {@code upcall.}); a meter has the same tags in each series, names and values by turns.
 */
public final class MeterReading {
  /** The unit of sizes; times have their own methods, and anything else is a plural. */
  public static final String BYTES = Series.Meter.BYTES;

  private static final double NANOS = 1e-9;

  private final Map<Series, Double> numbers = new LinkedHashMap<>();
  private final Map<Series, DistributionSnapshot> spreads = new LinkedHashMap<>();

  /** Nothing yet. */
  MeterReading() {}

  /** A number that goes up and down. */
  public void level(String name, String unit, String meaning, long value, String... tags) {
    put(new Series.Meter(name, Series.Kind.LEVEL, unit, meaning), (double) value, tags);
  }

  /** A time that goes up and down. */
  public void levelTime(String name, String meaning, long nanos) {
    put(new Series.Meter(name, Series.Kind.LEVEL, Series.Meter.SECONDS, meaning), nanos * NANOS);
  }

  /** A number that only goes up. */
  public void count(String name, String unit, String meaning, long value, String... tags) {
    put(new Series.Meter(name, Series.Kind.COUNT, unit, meaning), (double) value, tags);
  }

  /** A time that only goes up. */
  public void time(String name, String meaning, long nanos, String... tags) {
    put(
        new Series.Meter(name, Series.Kind.COUNT, Series.Meter.SECONDS, meaning),
        nanos * NANOS,
        tags);
  }

  /** How often each size was seen; in nanoseconds where the unit is seconds. */
  public void spread(
      String name, String unit, String meaning, DistributionSnapshot spread, String... tags) {
    Series.Meter meter = new Series.Meter(name, Series.Kind.SPREAD, unit, meaning);
    spreads.put(new Series(meter, Arrays.asList(tags)), spread);
  }

  /** How long things took. */
  public void latency(String name, String meaning, DistributionSnapshot nanos, String... tags) {
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
