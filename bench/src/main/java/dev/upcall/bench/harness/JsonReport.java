package dev.upcall.bench.harness;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Outcomes with every sample, for programs. Numbers that are not known are left out. */
public final class JsonReport {
  private JsonReport() {}

  /** Writes a file, over what was there. */
  public static void write(Path file, Map<String, String> machine, List<Outcome> outcomes)
      throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeObjectFieldStart("machine");
      for (Map.Entry<String, String> fact : machine.entrySet()) {
        json.writeStringField(fact.getKey(), fact.getValue());
      }
      json.writeEndObject();
      json.writeArrayFieldStart("comparisons");
      for (Outcome outcome : outcomes) {
        comparison(json, outcome);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void comparison(JsonGenerator json, Outcome outcome) throws IOException {
    Figure figure = outcome.comparison().figure();
    json.writeStartObject();
    json.writeStringField("experiment", outcome.comparison().experiment());
    json.writeStringField("title", outcome.comparison().title());
    json.writeStringField("figure", figure.label());
    number(json, "aim", figure.target());
    json.writeArrayFieldStart("rows");
    for (Outcome.Row row : outcome.rows()) {
      json.writeStartObject();
      json.writeStringField("name", row.entrant().name());
      json.writeStringField("role", lower(row.entrant().role()));
      json.writeStringField("fate", lower(row.fate()));
      if (!row.note().isEmpty()) {
        json.writeStringField("note", row.note());
      }
      Statistics statistics = row.statistics(figure::of);
      if (statistics != null) {
        number(json, "median", statistics.median());
        number(json, "least", statistics.least());
        number(json, "most", statistics.most());
        number(json, "spread", statistics.spread());
        number(json, "ratio", outcome.ratio(row));
        number(json, "oursBy", outcome.lead(row));
        pairs(json, outcome.pairs(row));
      }
      json.writeArrayFieldStart("samples");
      for (Sample sample : row.samples()) {
        sample(json, sample);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void pairs(JsonGenerator json, @Nullable Statistics pairs) throws IOException {
    if (pairs != null) {
      number(json, "oursByInPairs", pairs.median());
      number(json, "oursByInPairsLeast", pairs.least());
      number(json, "oursByInPairsMost", pairs.most());
    }
  }

  private static void sample(JsonGenerator json, Sample sample) throws IOException {
    json.writeStartObject();
    number(json, "units", sample.units());
    number(json, "seconds", sample.seconds());
    number(json, "cpuSeconds", sample.cpuSeconds());
    number(json, "p50Micros", sample.p50Micros());
    number(json, "p99Micros", sample.p99Micros());
    json.writeEndObject();
  }

  private static void number(JsonGenerator json, String name, double value) throws IOException {
    if (!Double.isNaN(value) && !Double.isInfinite(value)) {
      json.writeNumberField(name, value);
    }
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
