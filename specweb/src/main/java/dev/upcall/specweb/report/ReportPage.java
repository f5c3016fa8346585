package dev.upcall.specweb.report;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * The report as one page that needs nothing else, made from the JSON, in the order of SPEC's own
 * pages: who and what, the figure, the table, the curve, the notes.
 */
public final class ReportPage {
  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>upcall specweb: SPECweb96-style result (non-compliant, research)</title>
      <style>
      :root { color-scheme: light dark; --text: #1c2126; --soft: #59636e; --line: #d5dbe1;
        --page: #ffffff; --band: #eef3f7; --mean: #1769aa; --p99: #b3541e; --bad: #a4262c; }
      @media (prefers-color-scheme: dark) {
        :root { --text: #e4e8ec; --soft: #9aa5b0; --line: #3a424b; --page: #14181c;
          --band: #1e252c; --mean: #5fb0ee; --p99: #e8915c; --bad: #f1707b; } }
      body { font: 15px/1.45 system-ui, sans-serif; color: var(--text); background: var(--page);
        max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
      h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
      .notice { border: 1px solid var(--bad); padding: .4rem .8rem; }
      .top { display: flex; flex-wrap: wrap; gap: 0 2rem; justify-content: space-between;
        background: var(--band); padding: .6rem 1rem; align-items: baseline; }
      .metric { font-size: 1.6rem; font-weight: 600; }
      .groups { columns: 3 20rem; column-gap: 2.5rem; margin-top: .6rem; }
      section { break-inside: avoid; padding-bottom: .8rem; } section h2 { margin-top: 0; }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
      th, td { padding: .25rem .4rem; font-size: .9rem; border-bottom: 1px solid var(--line); text-align: right;
        white-space: nowrap; }
      th { color: var(--soft); font-weight: 500; white-space: normal; vertical-align: bottom; }
      td.note { text-align: left; white-space: normal; }
      .soft, dt { color: var(--soft); } .bad { color: var(--bad); }
      dl { display: grid; grid-template-columns: minmax(9rem, max-content) 1fr; gap: .1rem 1rem;
        margin: 0; }
      dd { margin: 0; overflow-wrap: anywhere; }
      .mean { --ink: var(--mean); } .p99 { --ink: var(--p99); }
      """
          + Plot.STYLE
          + """
            </style>
            </head>
            <body>
            """;

  private final JsonTree report;
  private final StringBuilder page = new StringBuilder(HEAD);

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
    page.append("<h1>upcall specweb: static web serving, SPECweb96-style</h1>\n");
    line("<p class=\"notice\">%s</p>", escape(report.get("notice").text()));
    metric();
    page.append("<div class=\"groups\">\n");
    group("Hardware", report.get("hardware"));
    group("HTTP software", report.get("server"));
    group("Software", report.get("software"));
    group("Network", report.get("network"));
    group("Load generator", report.get("generator"));
    group("Test", report.get("test"));
    group("File set", report.get("fileSet"));
    group("Notes", report.get("notes"));
    page.append("</div>\n");
    List<JsonTree> points = report.get("points").elements();
    page.append("<h2>Load points</h2>\n");
    table(points);
    page.append("<h2>Response time over throughput</h2>\n");
    page.append(
        Curve.of(
            points.stream()
                .filter(point -> point.get("operations").number() > 0)
                .map(ReportPage::curvePoint)
                .toList()));
    page.append(
        """
        <p class="soft">Mean: from the beginning of the connection to the last byte. Percentiles and maximum: from
        the time at which the request should have been sent, so that waiting behind a slow answer counts.
        Little: |N - X R| / N over the window, where N comes from a count over time. CPU: of the whole process,
        by the operating system, for each operation. Generator busy: it used more than 0.9 of its threads' time and may be
        what limits the load (more --threads, or a machine of its own). Saturated: less than 0.95 of the requested
        rate. Not steady: Little's law fails by 5 % or more, as when much was outstanding at an end of the window. Hollow points are invalid.</p>
        </body>
        </html>
        """);
    return page.toString();
  }

  private void metric() {
    JsonTree best = report.get("opsPerSecond");
    boolean complete = report.get("complete").isTrue();
    boolean valid = report.get("valid").isTrue();
    line(
        "<div class=\"top\"><span class=\"metric\">%s</span><span>profile %s, mode %s, test"
            + " %s</span><span>%s</span><span class=\"%s\">%s</span></div>",
        best.isThere() ? show(best.number()) + " ops/s, SPECweb96-style" : "no load point is valid",
        escape(report.get("test").get("profile").text()),
        escape(report.get("test").get("mode").text()),
        escape(report.get("test").get("name").text()),
        escape(report.get("date").text()),
        valid ? "soft" : "bad",
        valid
            ? "all points valid"
            : complete ? "INVALID: see the table" : "STOPPED before its end");
  }

  private void group(String title, JsonTree facts) {
    List<String> lines =
        facts.fields(
            name ->
                value ->
                    "<dt>%s</dt><dd>%s</dd>".formatted(escape(words(name)), escape(fact(value))));
    if (!lines.isEmpty()) {
      line("<section><h2>%s</h2><dl>", title);
      lines.forEach(one -> page.append(one).append('\n'));
      page.append("</dl></section>\n");
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

  private void table(List<JsonTree> points) {
    page.append("<div class=\"scroll\"><table>\n<tr>");
    for (String title :
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
            "")) {
      line("<th>%s</th>", title);
    }
    page.append("</tr>\n");
    points.forEach(this::row);
    page.append("</table></div>\n");
  }

  private void row(JsonTree point) {
    JsonTree intended = point.get("fromIntendedStart");
    page.append("<tr>");
    cell(
        point.get("requestedOpsPerSecond").isThere()
            ? show(point.get("requestedOpsPerSecond").number())
            : show(point.get("workers").number()) + " clients");
    cell(show(point.get("opsPerSecond").number()));
    cell(show(point.get("meanMillis").number()));
    for (String percentile :
        List.of("p50Millis", "p95Millis", "p99Millis", "p999Millis", "maxMillis")) {
      cell(show(intended.get(percentile).number()));
    }
    cell(show(point.get("bytesPerSecond").number() / 1e6));
    cell(show(point.get("errors").number()));
    cell(show(point.get("meanOutstanding").number()));
    cell(show(point.get("littleResidual").number() * 100) + " %");
    cell(
        String.join(
            " / ",
            point.get("classShares").elements().stream()
                .map(share -> String.format(Locale.ROOT, "%.1f", share.number() * 100))
                .toList()));
    cell(show(point.get("cpu").get("generatorMicrosPerOperation").number()));
    cell(show(point.get("cpu").get("serverMicrosPerOperation").number()));
    line("<td class=\"note\">%s</td></tr>", verdict(point));
  }

  private static String verdict(JsonTree point) {
    StringBuilder words = new StringBuilder();
    if (!point.get("whole").isTrue()) {
      words.append("cut short ");
    }
    if (point.get("saturated").isTrue()) {
      words.append("saturated ");
    }
    if (!point.get("steady").isTrue()) {
      words.append("not steady ");
    }
    if (point.get("generatorBusy").isTrue()) {
      words.append("generator busy ");
    }
    if (!point.get("valid").isTrue()) {
      words.append("<span class=\"bad\">invalid</span> ");
    }
    for (JsonTree kind : point.get("errorKinds").elements()) {
      words.append(
          escape(
              "%s x %s (%s) "
                  .formatted(
                      kind.get("count").text(),
                      kind.get("kind").text(),
                      kind.get("example").text())));
    }
    return words.toString().strip();
  }

  private static Curve.Point curvePoint(JsonTree point) {
    return new Curve.Point(
        point.get("opsPerSecond").number(),
        point.get("meanMillis").number(),
        point.get("fromIntendedStart").get("p99Millis").number(),
        point.get("valid").isTrue());
  }

  private void cell(String text) {
    line("<td>%s</td>", text);
  }

  /** A figure with as many digits as mean something. */
  static String show(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    double size = Math.abs(value);
    if (value == Math.rint(value) && size < 1e9) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    String form = size >= 1_000 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f";
    return String.format(Locale.ROOT, form, value);
  }

  private void line(String format, Object... arguments) {
    page.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
