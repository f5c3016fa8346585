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
    Row ours = firstRow(Role.OURS);
    return ours == null ? null : pairs(comparison.figure().kind(), ours, row);
  }

  /** A number of one row as a multiple of another's, round by round; null if unknown. */
  static @Nullable Statistics pairs(Figure.Kind kind, Row ours, Row theirs) {
    List<Double> ratios = new ArrayList<>();
    int rounds = Math.min(ours.samples().size(), theirs.samples().size());
    for (int round = 0; round < rounds; round++) {
      ratios.add(
          Figure.of(kind, ours.samples().get(round))
              / Figure.of(kind, theirs.samples().get(round)));
    }
    return Statistics.known(ratios);
  }

  /** What has become of what was expected, in the order of the aims. */
  public List<Aim.Result> aims() {
    return comparison.figure().aims().stream().map(aim -> aim.in(this)).toList();
  }

  private @Nullable Statistics first(Role role) {
    Row row = firstRow(role);
    return row == null ? null : row.statistics(comparison.figure()::of);
  }

  @Nullable Row firstRow(Role role) {
    return measured(role).stream().findFirst().orElse(null);
  }

  /** Rows of a role that were measured. */
  List<Row> measured(Role role) {
    return rows.stream()
        .filter(row -> row.entrant().role() == role)
        .filter(row -> row.fate() == Fate.MEASURED)
        .toList();
  }

  /** The row of an entrant; null when it was not measured. */
  @Nullable Row row(String entrant) {
    return rows.stream()
        .filter(row -> row.entrant().name().equals(entrant))
        .filter(row -> row.fate() == Fate.MEASURED)
        .findFirst()
        .orElse(null);
  }

  /** Whether an entrant broke. */
  public boolean hasFailures() {
    return rows.stream().anyMatch(row -> row.fate() == Fate.FAILED);
  }
}
