package dev.upcall.bench.report;

import dev.upcall.bench.harness.Statistics;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * All samples of one side at one load, in the order of taking: the sample of repetition <i>i</i> of
 * one side was taken next to that of the others.
 *
 * @param side who was measured
 * @param inFlight requests in flight, or clients
 * @param readings one for each repetition
 */
public record Point(String side, int inFlight, List<Reading> readings) {
  /** A compiler that takes more of a core than this is what was measured. */
  static final double MOST_COMPILING = 0.03;

  /** Copies the list. */
  public Point {
    readings = List.copyOf(readings);
  }

  /** The median of a figure; NaN when one of the samples does not tell it. */
  public double median(ToDoubleFunction<Reading> figure) {
    Statistics known = Statistics.known(readings.stream().map(figure::applyAsDouble).toList());
    return known == null ? Double.NaN : known.median();
  }

  /** Units in a second. */
  public double perSecond() {
    return median(Reading::perSecond);
  }

  /** How far the samples of throughput lie apart, as a part of the median. */
  public double spread() {
    return readings.isEmpty()
        ? Double.NaN
        : Statistics.of(readings.stream().map(Reading::perSecond).toList()).spread();
  }

  /** The mean response time in milliseconds. */
  public double meanMillis() {
    return median(reading -> reading.response().mean() / 1e3);
  }

  /** The 99th percentile of the response time in milliseconds. */
  public double p99Millis() {
    return median(reading -> reading.response().p99() / 1e3);
  }

  /** By how much Little's law fails. */
  public double littleResidual() {
    return median(reading -> reading.littleResidual(inFlight));
  }

  /** The part of a core that the compiler took; NaN when nobody looked. */
  public double compiling() {
    return more(Reading.COMPILING);
  }

  /** Whether the compiler was still at work while it was measured, so that it must be doubted. */
  public boolean isCompiling() {
    return compiling() > MOST_COMPILING;
  }

  /** Another figure; NaN when the samples do not have it. */
  public double more(String name) {
    return median(reading -> reading.more().getOrDefault(name, Double.NaN));
  }

  /** The names of the other figures, sorted. */
  public Set<String> moreNames() {
    Set<String> names = new TreeSet<>(Comparator.naturalOrder());
    readings.forEach(reading -> names.addAll(reading.more().keySet()));
    return names;
  }
}
