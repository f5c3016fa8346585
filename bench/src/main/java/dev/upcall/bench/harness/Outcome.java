package dev.upcall.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a comparison gave.
 *
 * @param comparison what was compared
 * @param rows one for each entrant, in their order
 */
public record Outcome(Comparison comparison, List<Row> rows) {
  /** How it went with an entrant. */
  public enum Fate {
    /** All samples were taken. */
    MEASURED,
    /** A program is not installed. */
    MISSING,
    /** It broke; the note says how. */
    FAILED
  }

  /**
   * One entrant's samples.
   *
   * @param fate how it went
   * @param samples in the order of taking; empty unless measured
   * @param note why there are none, or what else is to be said; may be empty
   */
  public record Row(Entrant entrant, Fate fate, List<Sample> samples, String note) {
    /** Statistics of a number of all samples; null when some do not tell it. */
    public @Nullable Statistics statistics(ToDoubleFunction<Sample> number) {
      return Statistics.known(samples.stream().map(number::applyAsDouble).toList());
    }

    /** The median of a number; NaN when it is not known. */
    public double median(ToDoubleFunction<Sample> number) {
      Statistics statistics = statistics(number);
      return statistics == null ? Double.NaN : statistics.median();
    }
  }

  /** The median of a row's deciding number as a multiple of the first peer's; NaN if unknown. */
  public double ratio(Row row) {
    Statistics own = row.statistics(comparison.figure()::of);
    Statistics base = first(Role.PEER);
    return own == null || base == null ? Double.NaN : own.ratioTo(base);
  }

  /** Our median (of the first row of ours) as a multiple of a row's; NaN if unknown. */
  public double lead(Row row) {
    Statistics other = row.statistics(comparison.figure()::of);
    Statistics ours = first(Role.OURS);
    return other == null || ours == null ? Double.NaN : ours.ratioTo(other);
  }

  /**
   * Our sample (of the first row of ours) as a multiple of a row's in the same round, round by
   * round: what changes on the machine from round to round meets both. Null if unknown.
   */
  public @Nullable Statistics pairs(Row row) {
    Row first = firstRow(Role.OURS);
    List<Sample> ours = first == null ? List.of() : first.samples();
    List<Sample> theirs = row.samples();
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < Math.min(ours.size(), theirs.size()); round++) {
      Figure figure = comparison.figure();
      ratios.add(figure.of(ours.get(round)) / figure.of(theirs.get(round)));
    }
    return Statistics.known(ratios);
  }

  private @Nullable Statistics first(Role role) {
    Row row = firstRow(role);
    return row == null ? null : row.statistics(comparison.figure()::of);
  }

  private @Nullable Row firstRow(Role role) {
    return rows.stream()
        .filter(row -> row.entrant().role() == role)
        .filter(row -> row.fate() == Fate.MEASURED)
        .findFirst()
        .orElse(null);
  }

  /** Whether an entrant broke. */
  public boolean hasFailures() {
    return rows.stream().anyMatch(row -> row.fate() == Fate.FAILED);
  }
}
