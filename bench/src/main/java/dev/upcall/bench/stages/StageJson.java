package dev.upcall.bench.stages;

import dev.upcall.specweb.document.JsonWriter;
import java.util.Map;
import java.util.stream.IntStream;

/** A table of stages for programs. */
public final class StageJson {
  private final JsonWriter json;

  private StageJson(JsonWriter json) {
    this.json = json;
  }

  /** The document. */
  public static String of(Map<String, String> machine, StageTable table) {
    return JsonWriter.document(
        json -> {
          json.texts("machine", machine);
          new StageJson(json).table(table);
        });
  }

  private void table(StageTable table) {
    StagePlan plan = table.plan();
    json.number("files", plan.files());
    json.number("fileBytes", plan.fileBytes());
    json.number("warmMemoryBytes", plan.warmMemoryBytes());
    json.number("coldMemoryBytes", plan.coldMemoryBytes());
    json.objects("stages", table.rows(), this::row);
  }

  private void row(StageTable.Row row) {
    json.text("side", row.side().key());
    json.text("cache", row.warm() ? "warm" : "cold");
    json.number("inFlight", row.inFlight());
    json.number("requests", row.requests());
    json.number("withIo", row.withIo());
    json.number("perSecond", row.perSecond());
    json.number("applicationMeanMicros", row.applicationMicros());
    json.number("compilerShare", row.compiling());
    json.flag("sumsHold", row.sumsHold());
    json.number("residualMaxMicros", row.residualMicros());
    json.objects(
        "stages",
        IntStream.range(0, row.stages().size()).boxed().toList(),
        i -> times(row.side().stages().get(i).key(), row.stages().get(i)));
    json.object("total", () -> times("total", row.total()));
    row.drains().ifPresent(drains -> json.object("drains", () -> drains(drains)));
  }

  private void times(String until, StageTable.Times times) {
    json.text("until", until);
    json.number("meanMicros", times.mean());
    json.number("p50Micros", times.p50());
    json.number("p99Micros", times.p99());
  }

  private void drains(StageTable.Drains drains) {
    json.number("batchMean", drains.batch());
    json.number("meanMicros", drains.micros());
    json.number("queueBeforeMean", drains.before());
    json.number("queueAfterMean", drains.after());
  }
}
