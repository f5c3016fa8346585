package dev.upcall.bench.report;

import static dev.upcall.bench.harness.HtmlReport.escape;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.specweb.report.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** The report as one page that needs nothing else. */
final class ReportHtml {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>upcall bench fsm-report: state machines against threads</title>
      <style>
      :root { color-scheme: light dark; --text: #1c2126; --soft: #59636e; --line: #d5dbe1;
        --page: #ffffff; --band: #eef3f7; --bad: #a4262c; --good: #1d6f42; --open: #7a5b00;
        --c0: #1769aa; --c1: #0f8a7e; --c2: #b3541e; --c3: #8a3ea8; --c4: #6b7280; --c5: #b0264f; }
      @media (prefers-color-scheme: dark) {
        :root { --text: #e4e8ec; --soft: #9aa5b0; --line: #3a424b; --page: #14181c;
          --band: #1e252c; --bad: #f1707b; --good: #6fcf97; --open: #e3c35a;
          --c0: #5fb0ee; --c1: #4fd1c5; --c2: #e8915c; --c3: #c48be0; --c4: #a6adb7; --c5: #f08aa6; } }
      body { font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--page);
        max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin: 2.4rem 0 .4rem; }
      h3 { font-size: 1rem; margin: 1.4rem 0 .3rem; }
      .scroll { overflow-x: auto; } .plots { display: grid; gap: 1rem;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
      caption { text-align: left; font-weight: 600; padding: .4rem 0; }
      th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: right;
        white-space: nowrap; vertical-align: top; }
      th { color: var(--soft); font-weight: 500; vertical-align: bottom; }
      th:first-child, td:first-child, td.note, th.note { text-align: left; }
      td.note { white-space: normal; min-width: 16rem; }
      .soft, dt { color: var(--soft); } .said { color: var(--soft); }
      .holds { color: var(--good); } .fails { color: var(--bad); } .undecided { color: var(--open); }
      .verdict { font-weight: 600; text-align: left; }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
      dd { margin: 0; overflow-wrap: anywhere; }
      details { margin: .6rem 0; } summary { cursor: pointer; color: var(--soft); }
      .c0 { --ink: var(--c0); } .c1 { --ink: var(--c1); } .c2 { --ink: var(--c2); }
      .c3 { --ink: var(--c3); } .c4 { --ink: var(--c4); } .c5 { --ink: var(--c5); }
      """
          + Plot.STYLE
          + """
            </style>
            </head>
            <body>
            <h1>State machines against threads</h1>
            <p>The experiments of <i>Storage System Design using Finite State Machines</i>
            (Deshpande, Lakhamraju, Berkeley), made again by <code>upcall bench fsm-report</code>:
            the same store as state machines and as threads with locks, on the same volumes. Each
            claim of the report stands beside what this machine showed; the sentences are made
            from the data.</p>
            """;

  private static final int COLOURS = 6;

  private final StringBuilder page = new StringBuilder(HEAD);

  private ReportHtml() {}

  /** The page. */
  static String of(FsmReport report) {
    ReportHtml html = new ReportHtml();
    html.claims(report.claims());
    html.facts(report.facts());
    report.sections().forEach(html::section);
    html.page.append("</body>\n</html>\n");
    return html.page.toString();
  }

  private void facts(Map<String, String> facts) {
    page.append("<h2>Where and how it was measured</h2>\n<dl>\n");
    facts.forEach((name, value) -> line("<dt>%s</dt><dd>%s</dd>", escape(name), escape(value)));
    page.append("</dl>\n");
  }

  private void claims(List<Claim> claims) {
    if (claims.isEmpty()) {
      return;
    }
    page.append("<div class=\"scroll\"><table>\n");
    line(
        "<tr><th scope=\"col\"></th><th scope=\"col\" class=\"note\">the report</th><th scope=\"col\""
            + " class=\"note\">here</th><th scope=\"col\" class=\"note\">it</th></tr>");
    for (Claim claim : claims) {
      line(
          "<tr><td>%s</td><td class=\"note said\">%s</td><td class=\"note\">%s</td><td"
              + " class=\"verdict %s\">%s</td></tr>",
          escape(claim.id()),
          escape(claim.said()),
          escape(claim.found()),
          claim.verdict().word(),
          claim.verdict().word());
    }
    page.append("</table></div>\n");
  }

  private void section(Section section) {
    line("<section><h2>%s</h2>", escape(section.title()));
    if (!section.how().isEmpty()) {
      line("<p class=\"soft\">%s</p>", escape(section.how()));
    }
    claims(section.claims());
    section.notes().forEach(note -> line("<p>%s</p>", escape(note)));
    section.grids().forEach(this::grid);
    section.sweeps().forEach(this::sweep);
    page.append("</section>\n");
  }

  private void grid(Grid grid) {
    line("<div class=\"scroll\"><table><caption>%s</caption>", escape(grid.title()));
    heads(grid.columns());
    for (List<String> row : grid.rows()) {
      page.append("<tr>");
      row.forEach(cell -> page.append("<td>").append(escape(cell)).append("</td>"));
      page.append("</tr>\n");
    }
    page.append("</table></div>\n");
  }

  private void heads(List<String> columns) {
    page.append("<tr>");
    columns.forEach(
        column -> page.append("<th scope=\"col\">").append(escape(column)).append("</th>"));
    page.append("</tr>\n");
  }

  private void sweep(Sweep sweep) {
    line("<h3>%s</h3>\n<div class=\"plots\">", escape(sweep.title()));
    plot(
        sweep,
        new Plot.Scale(sweep.words().unit() + "/s", /* logarithmic= */ false),
        Point::perSecond);
    plot(
        sweep,
        new Plot.Scale("mean response time, ms", /* logarithmic= */ true),
        Point::meanMillis);
    page.append("</div>\n");
    if (sweep.points().stream().anyMatch(sweep::isDoubtful)) {
      page.append(
          "<p>Hollow points and rows with a * are in doubt: the compiler took over 3 % of a core"
              + " while they were measured, or the side was not steady before.</p>\n");
    }
    page.append("<details><summary>All figures</summary>\n");
    table(sweep);
    if (!sweep.warmths().isEmpty()) {
      grid(Warmths.grid(sweep.warmths()));
    }
    page.append("</details>\n");
  }

  private void plot(Sweep sweep, Plot.Scale y, ToDoubleFunction<Point> figure) {
    List<Plot.Series> series = new ArrayList<>();
    for (String side : sweep.sides()) {
      series.add(
          new Plot.Series(
              side,
              "c" + series.size() % COLOURS,
              sweep.of(side).stream()
                  .map(
                      point ->
                          new Plot.Point(
                              point.inFlight(),
                              figure.applyAsDouble(point),
                              !sweep.isDoubtful(point)))
                  .toList()));
    }
    page.append(
        Plot.of(
            sweep.title() + ": " + y.title() + " over " + sweep.words().load(),
            new Plot.Scale(sweep.words().load(), /* logarithmic= */ true),
            y,
            series));
  }

  private void table(Sweep sweep) {
    Set<String> more = new TreeSet<>();
    sweep.points().forEach(point -> more.addAll(point.moreNames()));
    List<String> columns =
        new ArrayList<>(
            List.of(
                sweep.words().load(),
                "",
                sweep.words().unit() + "/s",
                "spread",
                "mean ms",
                "p50 ms",
                "p99 ms",
                "CPU µs",
                "Little",
                "samples"));
    columns.addAll(more);
    page.append("<div class=\"scroll\"><table>\n");
    heads(columns);
    for (int load : sweep.loads()) {
      for (String side : sweep.sides()) {
        sweep.at(side, load).ifPresent(point -> row(sweep, point, more));
      }
    }
    page.append("</table></div>\n");
  }

  private void row(Sweep sweep, Point point, Set<String> more) {
    page.append("<tr>");
    cell(String.format(Locale.ROOT, "%,d", point.inFlight()));
    String mark = sweep.isDoubtful(point) ? " *" : "";
    line("<td class=\"note\">%s%s</td>", escape(point.side()), mark);
    cell(Numbers.show(point.perSecond()));
    cell(Numbers.percent(point.spread()));
    cell(millis(point.meanMillis()));
    cell(millis(point.median(reading -> reading.response().p50() / 1e3)));
    cell(millis(point.p99Millis()));
    cell(Numbers.show(point.median(Reading::cpuMicros)));
    cell(percents(point.littleResidual()));
    cell(Integer.toString(point.readings().size()));
    more.forEach(
        name ->
            cell(
                name.endsWith(" share")
                    ? Warmths.percent(point.more(name))
                    : Numbers.show(point.more(name))));
    page.append("</tr>\n");
  }

  /** Response times go down to microseconds. */
  private static String millis(double value) {
    return value < 1 ? String.format(Locale.ROOT, "%.4f", value) : Numbers.show(value);
  }

  private static String percents(double part) {
    return Double.isNaN(part) ? "-" : String.format(Locale.ROOT, "%.1f %%", part * 100);
  }

  private void cell(String text) {
    line("<td>%s</td>", escape(text));
  }

  private void line(String format, Object... arguments) {
    page.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }
}
