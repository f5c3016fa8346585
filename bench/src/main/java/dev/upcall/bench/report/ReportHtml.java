package dev.upcall.bench.report;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.specweb.document.HtmlPage;
import dev.upcall.specweb.document.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** The report as one page that needs nothing else. */
final class ReportHtml {
  private static final String STYLE =
      """
      .plots { display: grid; gap: 1rem;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
      th, td { padding: .2rem .6rem; } td { vertical-align: top; } td.note { min-width: 16rem; }
      .claims th { text-align: left; } .said { color: var(--soft); }
      .holds { color: var(--good); } .fails { color: var(--bad); } .undecided { color: var(--open); }
      .verdict { font-weight: 600; text-align: left; }
      details { margin: .6rem 0; } summary { cursor: pointer; color: var(--soft); }
      """;

  private final HtmlPage page;
  private final Cover cover;

  private ReportHtml(Cover cover) {
    this.cover = cover;
    this.page = new HtmlPage(cover.title(), STYLE);
  }

  /** The page. */
  static String of(StudyReport report) {
    ReportHtml html = new ReportHtml(report.cover());
    html.page.line("<h1>%s</h1>", report.cover().heading());
    html.page.line("<p>%s</p>", report.cover().introduction());
    html.claims(report.claims());
    html.page.line("<h2>Where and how it was measured</h2>");
    html.page.facts(report.facts());
    report.sections().forEach(html::section);
    return html.page.end();
  }

  private void claims(List<Claim> claims) {
    if (claims.isEmpty()) {
      return;
    }
    page.line("<div class=\"claims\">");
    page.beginTable(List.of("", cover.source(), "here", "it"));
    for (Claim claim : claims) {
      String verdict = claim.verdict().word();
      page.row(
          List.of(
              claim.id(),
              HtmlPage.cell("note said", claim.said()),
              HtmlPage.cell("note", claim.found()),
              HtmlPage.cell("verdict " + verdict, verdict)));
    }
    page.endTable();
    page.line("</div>");
  }

  private void section(Section section) {
    page.line("<section><h2>%s</h2>", section.title());
    if (!section.how().isEmpty()) {
      page.line("<p class=\"soft\">%s</p>", section.how());
    }
    claims(section.claims());
    section.notes().forEach(note -> page.line("<p>%s</p>", note));
    section.grids().forEach(this::grid);
    section.sweeps().forEach(this::sweep);
    charts(section.charts());
    page.line("</section>");
  }

  private void grid(Grid grid) {
    page.beginTable(grid.title(), grid.columns());
    grid.rows().forEach(page::row);
    page.endTable();
  }

  private void charts(List<Chart> charts) {
    if (charts.isEmpty()) {
      return;
    }
    page.line("<div class=\"plots\">");
    for (Chart chart : charts) {
      page.line("<div><h3>%s</h3>", chart.title());
      String description = chart.title() + ": " + chart.y().title() + " over " + chart.x().title();
      page.line("%s</div>", Plot.of(description, chart.x(), chart.y(), chart.lines()));
    }
    page.line("</div>");
  }

  private void sweep(Sweep sweep) {
    page.line("<h3>%s</h3>\n<div class=\"plots\">", sweep.title());
    plot(sweep, Plot.Scale.linear(sweep.words().unit() + "/s"), Point::perSecond);
    plot(sweep, Plot.Scale.log("mean response time, ms"), Point::meanMillis);
    page.line("</div>");
    if (sweep.points().stream().anyMatch(sweep::isDoubtful)) {
      page.line(
          "<p>Hollow points and rows with a * are in doubt: the compiler took over 3 %% of a core"
              + " while they were measured, or the side was not steady before.</p>");
    }
    page.line("<details><summary>All figures</summary>");
    table(sweep);
    if (!sweep.warmths().isEmpty()) {
      grid(Warmths.grid(sweep.warmths()));
    }
    page.line("</details>");
  }

  private void plot(Sweep sweep, Plot.Scale y, ToDoubleFunction<Point> figure) {
    List<Plot.Series> series = new ArrayList<>();
    for (String side : sweep.sides()) {
      series.add(
          new Plot.Series(
              side,
              sweep.of(side).stream()
                  .map(
                      point ->
                          new Plot.Point(
                              point.inFlight(),
                              figure.applyAsDouble(point),
                              !sweep.isDoubtful(point)))
                  .toList()));
    }
    page.line(
        "%s",
        Plot.of(
            sweep.title() + ": " + y.title() + " over " + sweep.words().load(),
            Plot.Scale.log(sweep.words().load()),
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
    page.beginTable(columns);
    for (int load : sweep.loads()) {
      for (String side : sweep.sides()) {
        sweep.at(side, load).ifPresent(point -> page.row(cells(sweep, point, more)));
      }
    }
    page.endTable();
  }

  private static List<Object> cells(Sweep sweep, Point point, Set<String> more) {
    List<Object> cells = new ArrayList<>();
    cells.add(String.format(Locale.ROOT, "%,d", point.inFlight()));
    cells.add(HtmlPage.cell("note", point.side() + (sweep.isDoubtful(point) ? " *" : "")));
    cells.add(Numbers.show(point.perSecond()));
    cells.add(Numbers.percent(point.spread()));
    cells.add(millis(point.meanMillis()));
    cells.add(millis(point.median(reading -> reading.response().p50() / 1e3)));
    cells.add(millis(point.p99Millis()));
    cells.add(Numbers.show(point.median(Reading::cpuMicros)));
    cells.add(Warmths.percent(point.littleResidual()));
    cells.add(Integer.toString(point.readings().size()));
    for (String name : more) {
      double value = point.more(name);
      cells.add(name.endsWith(" share") ? Warmths.percent(value) : Numbers.show(value));
    }
    return cells;
  }

  /** Response times go down to microseconds. */
  private static String millis(double value) {
    return value < 1 ? String.format(Locale.ROOT, "%.4f", value) : Numbers.show(value);
  }
}
