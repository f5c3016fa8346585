package dev.upcall.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Outcomes as one page that needs nothing else: tables, and a bar for each median. */
public final class HtmlReport {
  private static final int BAR_PIXELS = 260;
  private static final int BAR_HEIGHT = 14;

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>upcall bench</title>
      <style>
      :root { color-scheme: light dark; --text: #1c2126; --soft: #59636e; --line: #d5dbe1;
        --page: #ffffff; --ours: #1769aa; --peer: #8a929b; --ceiling: #b9d5ea; }
      @media (prefers-color-scheme: dark) {
        :root { --text: #e4e8ec; --soft: #9aa5b0; --line: #3a424b; --page: #14181c;
          --ours: #5fb0ee; --peer: #79828c; --ceiling: #2b4a63; } }
      body { font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--page);
        max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
      th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
        white-space: nowrap; }
      th { color: var(--soft); font-weight: 500; }
      th:first-child, td:first-child, td.note { text-align: left; }
      td.note { color: var(--soft); white-space: normal; }
      .ours { fill: var(--ours); } .peer { fill: var(--peer); } .ceiling { fill: var(--ceiling); }
      .range { stroke: var(--text); stroke-width: 1.5; }
      .soft, dt { color: var(--soft); }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
      dd { margin: 0; overflow-wrap: anywhere; }
      </style>
      </head>
      <body>
      <h1>upcall bench</h1>
      """;

  private final StringBuilder page = new StringBuilder(HEAD);

  private HtmlReport() {}

  /** Writes a file, over what was there. */
  public static void write(Path file, Map<String, String> machine, List<Outcome> outcomes)
      throws IOException {
    Files.writeString(file, page(machine, outcomes));
  }

  /** The page. */
  static String page(Map<String, String> machine, List<Outcome> outcomes) {
    HtmlReport report = new HtmlReport();
    report.machine(machine);
    outcomes.forEach(report::outcome);
    report.page.append("</body>\n</html>\n");
    return report.page.toString();
  }

  private void machine(Map<String, String> facts) {
    page.append("<dl>\n");
    facts.forEach((name, value) -> line("<dt>%s</dt><dd>%s</dd>", escape(name), escape(value)));
    page.append(
            "</dl>\n<p class=\"soft\">Medians of samples taken in turn; ratio: of medians, to the")
        .append(
            " first peer; ours ×: our samples as multiples of the row's in the same round, their median and range; spread: (most - least) / median, drawn as a line over the bar; CPU:")
        .append(" of the whole process, from the operating system. Ceiling: part of our work left")
        .append(" out.</p>\n");
  }

  private void outcome(Outcome outcome) {
    Figure figure = outcome.comparison().figure();
    line(
        "<h2>%s: %s</h2>",
        escape(outcome.comparison().experiment()), escape(outcome.comparison().title()));
    if (!Double.isNaN(figure.target())) {
      line("<p class=\"soft\">Aim: %s of the peer.</p>", Numbers.ratio(figure.target()));
    }
    page.append("<div class=\"scroll\"><table>\n");
    line(
        "<tr><th></th><th>%s</th><th></th><th>ratio</th><th>ours ×</th><th>spread</th><th>%s/s</th>"
            + "<th>CPU µs</th><th>p50 µs</th><th>p99 µs</th></tr>",
        escape(figure.label()), escape(figure.unit()));
    double most =
        outcome.rows().stream()
            .map(row -> row.statistics(figure::of))
            .mapToDouble(statistics -> statistics == null ? 0 : statistics.most())
            .max()
            .orElse(0);
    for (Outcome.Row row : outcome.rows()) {
      row(outcome, row, most);
    }
    page.append("</table></div>\n");
  }

  private static String pairs(Outcome outcome, Outcome.Row row) {
    Statistics pairs = outcome.pairs(row);
    return pairs == null
        ? Numbers.ratio(outcome.lead(row))
        : "%s <span class=\"soft\">%s–%s</span>"
            .formatted(
                Numbers.ratio(pairs.median()),
                Numbers.ratio(pairs.least()),
                Numbers.ratio(pairs.most()));
  }

  private void row(Outcome outcome, Outcome.Row row, double most) {
    Statistics statistics = row.statistics(outcome.comparison().figure()::of);
    if (row.fate() != Outcome.Fate.MEASURED || statistics == null) {
      String fate = row.fate().name().toLowerCase(Locale.ROOT);
      line(
          "<tr><td>%s</td><td class=\"note\" colspan=\"9\">%s%s</td></tr>",
          escape(row.entrant().name()),
          row.fate() == Outcome.Fate.MEASURED ? "too short to tell" : fate,
          row.note().isEmpty() ? "" : ": " + escape(row.note()));
      return;
    }
    line(
        "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td>%s</tr>",
        escape(row.entrant().name()),
        Numbers.show(statistics.median()),
        bar(row.entrant().role(), statistics, most),
        Numbers.ratio(outcome.ratio(row)),
        pairs(outcome, row),
        Numbers.percent(statistics.spread()),
        cells(
            row,
            List.of(
                Sample::perSecond,
                Sample::cpuMicrosPerUnit,
                Sample::p50Micros,
                Sample::p99Micros)));
    if (!row.note().isEmpty()) {
      line("<tr><td></td><td class=\"note\" colspan=\"9\">%s</td></tr>", escape(row.note()));
    }
  }

  private static String cells(Outcome.Row row, List<ToDoubleFunction<Sample>> numbers) {
    StringBuilder cells = new StringBuilder();
    numbers.forEach(
        number -> cells.append("<td>").append(Numbers.show(row.median(number))).append("</td>"));
    return cells.toString();
  }

  private static String bar(Role role, Statistics statistics, double most) {
    double scale = most > 0 ? BAR_PIXELS / most : 0;
    return String.format(
        Locale.ROOT,
        "<svg width=\"%1$d\" height=\"%2$d\" role=\"img\" aria-label=\"%3$s\">"
            + "<rect class=\"%4$s\" width=\"%5$.1f\" height=\"%2$d\"/>"
            + "<line class=\"range\" x1=\"%6$.1f\" x2=\"%7$.1f\" y1=\"%8$d\" y2=\"%8$d\"/></svg>",
        BAR_PIXELS + 2,
        BAR_HEIGHT,
        Numbers.show(statistics.median()),
        role.name().toLowerCase(Locale.ROOT),
        statistics.median() * scale,
        statistics.least() * scale,
        statistics.most() * scale,
        BAR_HEIGHT / 2);
  }

  private void line(String format, Object... arguments) {
    page.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  /** Text as it may stand in a page or an attribute. */
  public static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
