package dev.upcall.bench.harness;

import dev.upcall.specweb.document.HtmlPage;
import dev.upcall.specweb.document.Markup;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Outcomes as one page that needs nothing else: tables, and a bar for each median. */
public final class HtmlReport {
  private static final int BAR_PIXELS = 260;
  private static final int BAR_HEIGHT = 14;

  private static final String STYLE =
      """
      :root { --peer: #8a929b; --ceiling: #b9d5ea; }
      @media (prefers-color-scheme: dark) { :root { --peer: #79828c; --ceiling: #2b4a63; } }
      h2 { font-size: 1.1rem; } table { width: 100%; } td.note { color: var(--soft); }
      .good { color: var(--good); } .open { color: var(--open); }
      .ours { fill: var(--c0); } .peer { fill: var(--peer); } .ceiling { fill: var(--ceiling); }
      .range { stroke: var(--text); stroke-width: 1.5; }
      """;

  private final HtmlPage page = new HtmlPage("upcall bench", STYLE);

  private HtmlReport() {}

  /** The page. */
  public static String page(Map<String, String> machine, List<Outcome> outcomes) {
    HtmlReport report = new HtmlReport();
    report.machine(machine);
    for (int i = 0; i < outcomes.size(); i++) {
      report.outcome(outcomes.get(i));
      String experiment = outcomes.get(i).comparison().experiment();
      if (i + 1 == outcomes.size()
          || !outcomes.get(i + 1).comparison().experiment().equals(experiment)) {
        report.plots(experiment, outcomes);
      }
    }
    return report.page.end();
  }

  private void machine(Map<String, String> facts) {
    page.line("<h1>upcall bench</h1>");
    page.facts(facts);
    page.line(
        """
        <p class="soft">Medians of samples taken in turn; ratio: of medians, to the first peer; ours ×: our samples
        as multiples of the row's in the same round, their median and range; spread: (most - least) / median, drawn
        as a line over the bar; CPU: of the whole process, from the operating system. Ceiling: part of our work left
        out.</p>\
        """);
  }

  private void outcome(Outcome outcome) {
    Figure figure = outcome.comparison().figure();
    page.line("<h2>%s: %s</h2>", outcome.comparison().experiment(), outcome.comparison().title());
    aims(outcome.aims());
    page.beginTable(
        List.of(
            "",
            figure.label(),
            "",
            "ratio",
            "ours ×",
            "spread",
            figure.unit() + "/s",
            "CPU µs",
            "p50 µs",
            "p99 µs"));
    double most =
        outcome.rows().stream()
            .map(row -> row.statistics(figure::of))
            .mapToDouble(statistics -> statistics == null ? 0 : statistics.most())
            .max()
            .orElse(0);
    for (Outcome.Row row : outcome.rows()) {
      row(outcome, row, most);
    }
    page.endTable();
    drawing(Drawings.rates(outcome));
    drawing(Drawings.peaks(outcome));
  }

  private void drawing(@Nullable Markup drawing) {
    if (drawing != null) {
      page.line("%s", drawing);
    }
  }

  private void aims(List<Aim.Result> aims) {
    if (aims.isEmpty()) {
      return;
    }
    page.line("<ul>");
    for (Aim.Result aim : aims) {
      boolean known = !Double.isNaN(aim.reached());
      page.line(
          "<li>Aim <b class=\"%s\">%s</b>: %s</li>",
          known ? aim.held() ? "good" : "bad" : "open", aim.verdict(), aim.words());
    }
    page.line("</ul>");
  }

  /** What comparisons of an experiment draw together. */
  private void plots(String experiment, List<Outcome> outcomes) {
    for (Plotted plot : Plotted.of(outcomes)) {
      if (plot.experiment().equals(experiment)) {
        page.line("<h3>%s: %s</h3>", plot.title(), plot.number());
        page.line("%s", Drawings.lines(plot));
      }
    }
  }

  private static Object pairs(Outcome outcome, Outcome.Row row) {
    Statistics pairs = outcome.pairs(row);
    return pairs == null
        ? Numbers.ratio(outcome.lead(row))
        : Markup.of(
            "<td>%s <span class=\"soft\">%s–%s</span></td>",
            Numbers.ratio(pairs.median()),
            Numbers.ratio(pairs.least()),
            Numbers.ratio(pairs.most()));
  }

  private void row(Outcome outcome, Outcome.Row row, double most) {
    Statistics statistics = row.statistics(outcome.comparison().figure()::of);
    if (row.fate() != Outcome.Fate.MEASURED || statistics == null) {
      String fate =
          row.fate() == Outcome.Fate.MEASURED
              ? "too short to tell"
              : row.fate().name().toLowerCase(Locale.ROOT);
      page.row(
          List.of(
              row.entrant().name(), note(fate + (row.note().isEmpty() ? "" : ": " + row.note()))));
      return;
    }
    List<Object> cells = new ArrayList<>();
    cells.add(row.entrant().name());
    cells.add(Numbers.show(statistics.median()));
    cells.add(HtmlPage.cell("", bar(row.entrant().role(), statistics, most)));
    cells.add(Numbers.ratio(outcome.ratio(row)));
    cells.add(pairs(outcome, row));
    cells.add(Numbers.percent(statistics.spread()));
    cells.add(Numbers.show(row.median(Sample::perSecond)));
    cells.add(Numbers.show(row.median(Sample::cpuMicrosPerUnit)));
    cells.add(Numbers.show(row.median(Sample::p50Micros)));
    cells.add(Numbers.show(row.median(Sample::p99Micros)));
    page.row(cells);
    if (!row.note().isEmpty()) {
      page.row(List.of("", note(row.note())));
    }
  }

  /** What is said instead of figures, as wide as they are. */
  private static Markup note(String text) {
    return Markup.of("<td class=\"note\" colspan=\"9\">%s</td>", text);
  }

  private static Markup bar(Role role, Statistics statistics, double most) {
    double scale = most > 0 ? BAR_PIXELS / most : 0;
    return Markup.of(
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
}
