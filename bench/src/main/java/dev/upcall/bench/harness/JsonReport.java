package dev.upcall.bench.harness;

import dev.upcall.specweb.document.JsonWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Outcomes with every sample, for programs. Numbers that are not known are left out. */
public final class JsonReport {
  private final JsonWriter json;

  private JsonReport(JsonWriter json) {
    this.json = json;
  }

  /** The document. */
  public static String of(Map<String, String> machine, List<Outcome> outcomes) {
    return JsonWriter.document(
        json -> {
          json.texts("machine", machine);
          json.objects("comparisons", outcomes, new JsonReport(json)::comparison);
          json.objects("plots", Plotted.of(outcomes), new JsonReport(json)::plot);
        });
  }

  private void comparison(Outcome outcome) {
    Figure figure = outcome.comparison().figure();
    json.text("experiment", outcome.comparison().experiment());
    json.text("title", outcome.comparison().title());
    json.text("figure", figure.label());
    json.objects("aims", outcome.aims(), aim -> aim(figure, aim));
    json.objects("rows", outcome.rows(), row -> row(outcome, row));
  }

  private void aim(Figure figure, Aim.Result result) {
    json.text("aim", result.words());
    json.text("number", figure.label(result.aim().kind()));
    json.text("basis", lower(result.aim().basis()));
    json.number("wanted", result.aim().value());
    json.number("reached", result.reached());
    json.flag("held", result.held());
  }

  private void plot(Plotted plot) {
    json.text("experiment", plot.experiment());
    json.text("title", plot.title());
    json.text("axis", plot.axis());
    json.text("number", plot.number());
    json.objects(
        "lines",
        plot.lines(),
        line -> {
          json.text("name", line.name());
          json.objects(
              "points",
              line.points(),
              point -> {
                json.number("at", point.at());
                json.number("median", point.median());
              });
        });
  }

  private void row(Outcome outcome, Outcome.Row row) {
    json.text("name", row.entrant().name());
    json.text("role", lower(row.entrant().role()));
    json.text("fate", lower(row.fate()));
    if (!row.note().isEmpty()) {
      json.text("note", row.note());
    }
    Statistics statistics = row.statistics(outcome.comparison().figure()::of);
    if (statistics != null) {
      json.number("median", statistics.median());
      json.number("least", statistics.least());
      json.number("most", statistics.most());
      json.number("spread", statistics.spread());
      json.number("ratio", outcome.ratio(row));
      json.number("oursBy", outcome.lead(row));
      pairs(outcome.pairs(row));
    }
    json.objects("samples", row.samples(), this::sample);
  }

  private void pairs(@Nullable Statistics pairs) {
    if (pairs != null) {
      json.number("oursByInPairs", pairs.median());
      json.number("oursByInPairsLeast", pairs.least());
      json.number("oursByInPairsMost", pairs.most());
    }
  }

  private void sample(Sample sample) {
    json.number("units", sample.units());
    json.number("seconds", sample.seconds());
    json.number("cpuSeconds", sample.cpuSeconds());
    json.number("p50Micros", sample.p50Micros());
    json.number("p99Micros", sample.p99Micros());
    json.number("p999Micros", sample.latencies().p999Micros());
    json.number("longestMicros", sample.latencies().longestMicros());
    Course course = sample.course();
    if (!course.unitsOfEachSecond().isEmpty()) {
      json.numbers("unitsOfEachSecond", course.unitsOfEachSecond());
    }
    if (!course.peaks().isEmpty()) {
      json.number("peakMillis", (long) course.peaks().stepMillis());
      json.numbers("peaksMicros", course.peaks().longestMicros());
    }
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
