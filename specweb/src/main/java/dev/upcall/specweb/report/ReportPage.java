package dev.upcall.specweb.report;

import static dev.upcall.specweb.document.HtmlPage.show;

import dev.upcall.specweb.document.HtmlPage;
import dev.upcall.specweb.document.JsonTree;
import dev.upcall.specweb.document.Markup;
import dev.upcall.specweb.document.Plot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The report as one page that needs nothing else, made from the JSON, in the order of SPEC's own
 * pages: who and what, the figure, the table, the curve, the notes.
 */
public final class ReportPage {
  private static final String STYLE =
      """
      h1 { margin-bottom: .2rem; } h2 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
      .notice { border: 1px solid var(--bad); padding: .4rem .8rem; }
      .top { display: flex; flex-wrap: wrap; gap: 0 2rem; justify-content: space-between;
        background: var(--band); padding: .6rem 1rem; align-items: baseline; }
      .metric { font-size: 1.6rem; font-weight: 600; }
      .groups { columns: 3 20rem; column-gap: 2.5rem; margin-top: .6rem; }
      section { break-inside: avoid; padding-bottom: .8rem; } section h2 { margin-top: 0; }
      table { width: 100%; } th { white-space: normal; }
      th, td { padding: .25rem .4rem; font-size: .9rem; }
      th:first-child, td:first-child { text-align: right; }
      dl { grid-template-columns: minmax(9rem, max-content) 1fr; margin: 0; }
      """;

  private static final List<String> HEADS =
      List.of(
          "requested",
          "ops/s",
          "mean ms",
          "p50",
          "p95",
          "p99",
          "p99.9",
          "max ms",
          "MB/s",
          "errors",
          "outstanding",
          "Little",
          "classes 0/1/2/3 %",
          "generator CPU µs",
          "server CPU µs",
          "");

  private final JsonTree report;
  private final HtmlPage page =
      new HtmlPage("upcall specweb: SPECweb96-style result (non-compliant, research)", STYLE);

  private ReportPage(JsonTree report) {
    this.report = report;
  }

  /**
   * Makes the page.
   *
   * @param json a report of {@link ReportJson}
   * @throws IOException when it is none, or one of another version
   */
  public static String of(String json) throws IOException {
    JsonTree report = JsonTree.parse(json);
    boolean isOurs =
        report.get("kind").text().equals("upcall-specweb")
            && report.get("version").number() == ReportJson.VERSION;
    if (!isOurs) {
      throw new IOException(
          "not a report of specweb of version "
              + ReportJson.VERSION
              + "; \"run --json\" makes one");
    }
    return new ReportPage(report).make();
  }

  private String make() {
    page.line("<h1>upcall specweb: static web serving, SPECweb96-style</h1>");
    page.line("<p class=\"notice\">%s</p>", report.get("notice").text());
    metric();
    page.line("<div class=\"groups\">");
    group("Hardware", report.get("hardware"));
    group("HTTP software", report.get("server"));
    group("Software", report.get("software"));
    group("Network", report.get("network"));
    group("Load generator", report.get("generator"));
    group("Test", report.get("test"));
    group("File set", report.get("fileSet"));
    group("Notes", report.get("notes"));
    page.line("</div>");
    List<JsonTree> points = report.get("points").elements();
    page.line("<h2>Load points</h2>");
    page.beginTable(HEADS);
    points.forEach(point -> page.row(cells(point)));
    page.endTable();
    page.line("<h2>Response time over throughput</h2>");
    page.line("%s", curve(points));
    page.line(
        """
        <p class="soft">Mean: from the beginning of the connection to the last byte. Percentiles and maximum: from
        the time at which the request should have been sent, so that waiting behind a slow answer counts.
        Little: |N - X R| / N over the window, where N comes from a count over time. CPU: of the whole process,
        by the operating system, for each operation. Generator busy: it used more than 0.9 of its threads' time and may be
        what limits the load (more --threads, or a machine of its own). Saturated: less than 0.95 of the requested
        rate. Not steady: Little's law fails by 5 %% or more, as when much was outstanding at an end of the window. Hollow points are invalid.</p>""");
    return page.end();
  }

  private void metric() {
    JsonTree best = report.get("opsPerSecond");
    boolean complete = report.get("complete").isTrue();
    boolean valid = report.get("valid").isTrue();
    page.line(
        "<div class=\"top\"><span class=\"metric\">%s</span><span>profile %s, mode %s, test"
            + " %s</span><span>%s</span><span class=\"%s\">%s</span></div>",
        best.isThere() ? show(best.number()) + " ops/s, SPECweb96-style" : "no load point is valid",
        report.get("test").get("profile").text(),
        report.get("test").get("mode").text(),
        report.get("test").get("name").text(),
        report.get("date").text(),
        valid ? "soft" : "bad",
        valid
            ? "all points valid"
            : complete ? "INVALID: see the table" : "STOPPED before its end");
  }

  private void group(String title, JsonTree facts) {
    Map<String, JsonTree> fields = facts.fields();
    if (!fields.isEmpty()) {
      page.line("<section><h2>%s</h2><dl>", title);
      fields.forEach((name, value) -> page.fact(words(name), fact(value)));
      page.line("</dl></section>");
    }
  }

  private static String fact(JsonTree value) {
    if (value.value() instanceof List<?>) {
      String joined = String.join(", ", value.elements().stream().map(JsonTree::text).toList());
      return joined.isEmpty() ? "none named" : joined;
    }
    return value.text().isEmpty() ? "not said" : value.text();
  }

  /** {@code timeWaitSeconds} as words. */
  static String words(String name) {
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }

  private static List<Object> cells(JsonTree point) {
    List<Object> cells = new ArrayList<>();
    cells.add(
        point.get("requestedOpsPerSecond").isThere()
            ? show(point.get("requestedOpsPerSecond").number())
            : show(point.get("workers").number()) + " clients");
    cells.add(show(point.get("opsPerSecond").number()));
    cells.add(show(point.get("meanMillis").number()));
    for (String percentile :
        List.of("p50Millis", "p95Millis", "p99Millis", "p999Millis", "maxMillis")) {
      cells.add(show(point.get("fromIntendedStart").get(percentile).number()));
    }
    cells.add(show(point.get("bytesPerSecond").number() / 1e6));
    cells.add(show(point.get("errors").number()));
    cells.add(show(point.get("meanOutstanding").number()));
    cells.add(show(point.get("littleResidual").number() * 100) + " %");
    cells.add(
        String.join(
            " / ",
            point.get("classShares").elements().stream()
                .map(share -> String.format(Locale.ROOT, "%.1f", share.number() * 100))
                .toList()));
    cells.add(show(point.get("cpu").get("generatorMicrosPerOperation").number()));
    cells.add(show(point.get("cpu").get("serverMicrosPerOperation").number()));
    cells.add(verdict(point));
    return cells;
  }

  private static Markup verdict(JsonTree point) {
    List<Object> words = new ArrayList<>();
    if (!point.get("whole").isTrue()) {
      words.add("cut short");
    }
    if (point.get("saturated").isTrue()) {
      words.add("saturated");
    }
    if (!point.get("steady").isTrue()) {
      words.add("not steady");
    }
    if (point.get("generatorBusy").isTrue()) {
      words.add("generator busy");
    }
    if (!point.get("valid").isTrue()) {
      words.add(Markup.of("<span class=\"bad\">invalid</span>"));
    }
    for (JsonTree kind : point.get("errorKinds").elements()) {
      words.add(
          "%s x %s (%s)"
              .formatted(
                  kind.get("count").text(), kind.get("kind").text(), kind.get("example").text()));
    }
    return HtmlPage.cell("note", words.toArray());
  }

  private static Markup curve(List<JsonTree> points) {
    List<JsonTree> measured =
        points.stream().filter(point -> point.get("operations").number() > 0).toList();
    return Plot.of(
        "Response time in milliseconds over throughput in operations a second",
        Plot.Scale.linear("throughput, ops/s"),
        Plot.Scale.linear("response time, ms"),
        List.of(
            series("mean", measured, point -> point.get("meanMillis").number()),
            series(
                "99th percentile",
                measured,
                point -> point.get("fromIntendedStart").get("p99Millis").number())));
  }

  private static Plot.Series series(
      String label, List<JsonTree> points, ToDoubleFunction<JsonTree> millis) {
    return new Plot.Series(
        label,
        points.stream()
            .map(
                point ->
                    new Plot.Point(
                        point.get("opsPerSecond").number(),
                        millis.applyAsDouble(point),
                        point.get("valid").isTrue()))
            .toList());
  }
}
