package dev.upcall.bench.stages;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A table of stages for programs. */
public final class StageJson {
  private StageJson() {}

  /** Writes a file, over what was there. */
  public static void write(Path file, Map<String, String> machine, StageTable table)
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
      table(json, table);
      json.writeEndObject();
    }
  }

  private static void table(JsonGenerator json, StageTable table) throws IOException {
    StagePlan plan = table.plan();
    json.writeNumberField("files", plan.files());
    json.writeNumberField("fileBytes", plan.fileBytes());
    json.writeNumberField("warmMemoryBytes", plan.warmMemoryBytes());
    json.writeNumberField("coldMemoryBytes", plan.coldMemoryBytes());
    json.writeArrayFieldStart("stages");
    for (StageTable.Row row : table.rows()) {
      row(json, row);
    }
    json.writeEndArray();
  }

  private static void row(JsonGenerator json, StageTable.Row row) throws IOException {
    json.writeStartObject();
    json.writeStringField("side", row.side().key());
    json.writeStringField("cache", row.warm() ? "warm" : "cold");
    json.writeNumberField("inFlight", row.inFlight());
    json.writeNumberField("requests", row.requests());
    json.writeNumberField("withIo", row.withIo());
    json.writeNumberField("perSecond", row.perSecond());
    json.writeNumberField("applicationMeanMicros", row.applicationMicros());
    if (Double.isFinite(row.compiling())) {
      json.writeNumberField("compilerShare", row.compiling());
    }
    json.writeBooleanField("sumsHold", row.sumsHold());
    json.writeNumberField("residualMaxMicros", row.residualMicros());
    json.writeArrayFieldStart("stages");
    for (int i = 0; i < row.stages().size(); i++) {
      times(json, row.side().stages().get(i).key(), row.stages().get(i));
    }
    json.writeEndArray();
    json.writeFieldName("total");
    times(json, "total", row.total());
    if (row.drains().isPresent()) {
      drains(json, row.drains().get());
    }
    json.writeEndObject();
  }

  private static void times(JsonGenerator json, String name, StageTable.Times times)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("until", name);
    json.writeNumberField("meanMicros", times.mean());
    json.writeNumberField("p50Micros", times.p50());
    json.writeNumberField("p99Micros", times.p99());
    json.writeEndObject();
  }

  private static void drains(JsonGenerator json, StageTable.Drains drains) throws IOException {
    json.writeObjectFieldStart("drains");
    json.writeNumberField("batchMean", drains.batch());
    json.writeNumberField("meanMicros", drains.micros());
    json.writeNumberField("queueBeforeMean", drains.before());
    json.writeNumberField("queueAfterMean", drains.after());
    json.writeEndObject();
  }
}
