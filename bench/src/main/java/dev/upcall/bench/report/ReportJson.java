package dev.upcall.bench.report;

import dev.upcall.bench.harness.Warmth;
import dev.upcall.specweb.document.JsonWriter;
import dev.upcall.specweb.document.Plot;
import java.util.Map;
import java.util.TreeMap;

/** The report with every sample, for programs. Numbers that are not known are left out. */
final class ReportJson {
  private static final int VERSION = 1;

  private final JsonWriter json;

  private ReportJson(JsonWriter json) {
    this.json = json;
  }

  /** The document. */
  static String of(StudyReport report) {
    return JsonWriter.document(json -> new ReportJson(json).write(report));
  }

  private void write(StudyReport report) {
    json.text("kind", report.cover().kind());
    json.number("version", VERSION);
    json.texts("facts", report.facts());
    json.objects("sections", report.sections(), this::section);
  }

  private void section(Section section) {
    json.text("title", section.title());
    json.text("how", section.how());
    json.objects("claims", section.claims(), this::claim);
    json.texts("notes", section.notes());
    json.objects("tables", section.grids(), this::grid);
    json.objects("sweeps", section.sweeps(), this::sweep);
    json.objects("charts", section.charts(), this::chart);
  }

  private void chart(Chart chart) {
    json.text("id", chart.id());
    json.text("title", chart.title());
    json.text("x", chart.x().title());
    json.text("y", chart.y().title());
    json.objects("lines", chart.lines(), this::line);
  }

  private void line(Plot.Series line) {
    json.text("label", line.label());
    json.numbers("x", line.points().stream().map(Plot.Point::x).toList());
    json.numbers("y", line.points().stream().map(Plot.Point::y).toList());
  }

  private void claim(Claim claim) {
    json.text("id", claim.id());
    json.text("said", claim.said());
    json.text("verdict", claim.verdict().word());
    json.text("found", claim.found());
  }

  private void grid(Grid grid) {
    json.text("title", grid.title());
    json.texts("columns", grid.columns());
    json.rows("rows", grid.rows());
  }

  private void sweep(Sweep sweep) {
    json.text("id", sweep.id());
    json.text("title", sweep.title());
    json.text("load", sweep.words().load());
    json.text("unit", sweep.words().unit());
    json.objects("warmUps", sweep.warmths().entrySet(), this::warmUp);
    json.objects("points", sweep.points(), point -> point(sweep, point));
  }

  private void warmUp(Map.Entry<String, Warmth> warmth) {
    json.text("side", warmth.getKey());
    json.number("seconds", warmth.getValue().seconds());
    json.number("compilerShare", warmth.getValue().compiling());
    json.number("drift", warmth.getValue().drift());
    json.flag("steady", warmth.getValue().steady());
  }

  private void point(Sweep sweep, Point point) {
    json.text("side", point.side());
    json.number("inFlight", point.inFlight());
    json.number("perSecond", point.perSecond());
    json.number("meanMillis", point.meanMillis());
    json.number("littleResidual", point.littleResidual());
    json.flag("inDoubt", sweep.isDoubtful(point));
    json.objects("samples", point.readings(), this::reading);
  }

  private void reading(Reading reading) {
    json.number("units", reading.units());
    json.number("seconds", reading.seconds());
    json.number("cpuSeconds", reading.cpuSeconds());
    json.number("meanMicros", reading.response().mean());
    json.number("p50Micros", reading.response().p50());
    json.number("p99Micros", reading.response().p99());
    new TreeMap<>(reading.more()).forEach(json::number);
  }
}
