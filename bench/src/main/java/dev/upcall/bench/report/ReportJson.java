package dev.upcall.bench.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.upcall.bench.harness.Warmth;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The report with every sample, for programs. Numbers that are not known are left out. */
final class ReportJson {
  private static final int VERSION = 1;

  private final JsonGenerator json;

  private ReportJson(JsonGenerator json) {
    this.json = json;
  }

  /** The document. */
  static String of(FsmReport report) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      new ReportJson(json).write(report);
    }
    return text + "\n";
  }

  private void write(FsmReport report) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", "upcall-fsm-report");
    json.writeNumberField("version", VERSION);
    json.writeObjectFieldStart("facts");
    for (Map.Entry<String, String> fact : report.facts().entrySet()) {
      json.writeStringField(fact.getKey(), fact.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("sections");
    for (Section section : report.sections()) {
      section(section);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void section(Section section) throws IOException {
    json.writeStartObject();
    json.writeStringField("title", section.title());
    json.writeStringField("how", section.how());
    json.writeArrayFieldStart("claims");
    for (Claim claim : section.claims()) {
      json.writeStartObject();
      json.writeStringField("id", claim.id());
      json.writeStringField("said", claim.said());
      json.writeStringField("verdict", claim.verdict().word());
      json.writeStringField("found", claim.found());
      json.writeEndObject();
    }
    json.writeEndArray();
    texts("notes", section.notes());
    json.writeArrayFieldStart("tables");
    for (Grid grid : section.grids()) {
      json.writeStartObject();
      json.writeStringField("title", grid.title());
      texts("columns", grid.columns());
      json.writeArrayFieldStart("rows");
      for (List<String> row : grid.rows()) {
        json.writeArray(row.toArray(String[]::new), 0, row.size());
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("sweeps");
    for (Sweep sweep : section.sweeps()) {
      sweep(sweep);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void texts(String name, List<String> texts) throws IOException {
    json.writeFieldName(name);
    json.writeArray(texts.toArray(String[]::new), 0, texts.size());
  }

  private void sweep(Sweep sweep) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", sweep.id());
    json.writeStringField("title", sweep.title());
    json.writeStringField("load", sweep.words().load());
    json.writeStringField("unit", sweep.words().unit());
    json.writeArrayFieldStart("warmUps");
    for (Map.Entry<String, Warmth> warmth : sweep.warmths().entrySet()) {
      json.writeStartObject();
      json.writeStringField("side", warmth.getKey());
      number("seconds", warmth.getValue().seconds());
      number("compilerShare", warmth.getValue().compiling());
      number("drift", warmth.getValue().drift());
      json.writeBooleanField("steady", warmth.getValue().steady());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("points");
    for (Point point : sweep.points()) {
      json.writeStartObject();
      json.writeStringField("side", point.side());
      json.writeNumberField("inFlight", point.inFlight());
      number("perSecond", point.perSecond());
      number("meanMillis", point.meanMillis());
      number("littleResidual", point.littleResidual());
      json.writeBooleanField("inDoubt", sweep.isDoubtful(point));
      json.writeArrayFieldStart("samples");
      for (Reading reading : point.readings()) {
        reading(reading);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void reading(Reading reading) throws IOException {
    json.writeStartObject();
    number("units", reading.units());
    number("seconds", reading.seconds());
    number("cpuSeconds", reading.cpuSeconds());
    number("meanMicros", reading.response().mean());
    number("p50Micros", reading.response().p50());
    number("p99Micros", reading.response().p99());
    for (Map.Entry<String, Double> one : new TreeMap<>(reading.more()).entrySet()) {
      number(one.getKey(), one.getValue());
    }
    json.writeEndObject();
  }

  private void number(String name, double value) throws IOException {
    if (Double.isFinite(value)) {
      json.writeNumberField(name, value);
    }
  }
}
