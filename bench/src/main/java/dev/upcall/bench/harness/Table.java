package dev.upcall.bench.harness;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Outcomes for a terminal. */
public final class Table {
  private static final String LINE = "  %-30s %14s %7s %7s %18s %7s %13s %10s %10s %10s%n";

  private final PrintWriter out;

  /** Onto standard output. */
  public Table(PrintWriter out) {
    this.out = out;
  }

  /** Where it was measured. */
  public void machine(Map<String, String> facts) {
    facts.forEach((name, value) -> out.printf(Locale.ROOT, "%-12s %s%n", name, value));
    out.flush();
  }

  /** One comparison. */
  public void print(Outcome outcome) {
    Figure figure = outcome.comparison().figure();
    out.printf(
        Locale.ROOT, "%n%s: %s%n", outcome.comparison().experiment(), outcome.comparison().title());
    out.printf(
        Locale.ROOT,
        LINE,
        "",
        figure.label(),
        "ratio",
        "ours x",
        "in pairs",
        "spread",
        figure.unit() + "/s",
        "CPU us",
        "p50 us",
        "p99 us");
    for (Outcome.Row row : outcome.rows()) {
      if (row.fate() == Outcome.Fate.MEASURED) {
        print(outcome, row);
      } else {
        String fate = row.fate().name().toLowerCase(Locale.ROOT);
        out.printf(Locale.ROOT, "  %-30s %s: %s%n", row.entrant().name(), fate, row.note());
      }
    }
    for (Aim.Result aim : outcome.aims()) {
      out.printf(Locale.ROOT, "  aim %s: %s%n", aim.verdict(), aim.words());
    }
    out.flush();
  }

  /** The median of the pairs and how far they lie apart; nothing for our own row. */
  private static String pairs(Outcome outcome, Outcome.Row row) {
    Statistics pairs = row.entrant().role() == Role.OURS ? null : outcome.pairs(row);
    return pairs == null
        ? "-"
        : "%s (%s-%s)"
            .formatted(
                Numbers.ratio(pairs.median()),
                Numbers.ratio(pairs.least()),
                Numbers.ratio(pairs.most()));
  }

  private void print(Outcome outcome, Outcome.Row row) {
    Statistics figure = row.statistics(outcome.comparison().figure()::of);
    List<String> cells =
        List.of(
            Numbers.show(figure == null ? Double.NaN : figure.median()),
            Numbers.ratio(outcome.ratio(row)),
            Numbers.ratio(outcome.lead(row)),
            pairs(outcome, row),
            Numbers.percent(figure == null ? Double.NaN : figure.spread()),
            Numbers.show(row.median(Sample::perSecond)),
            Numbers.show(row.median(Sample::cpuMicrosPerUnit)),
            Numbers.show(row.median(Sample::p50Micros)),
            Numbers.show(row.median(Sample::p99Micros)));
    out.printf(
        Locale.ROOT,
        LINE,
        row.entrant().name(),
        cells.get(0),
        cells.get(1),
        cells.get(2),
        cells.get(3),
        cells.get(4),
        cells.get(5),
        cells.get(6),
        cells.get(7),
        cells.get(8));
    if (!row.note().isEmpty()) {
      out.printf(Locale.ROOT, "    %s%n", row.note());
    }
  }
}
