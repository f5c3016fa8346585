package dev.upcall.bench.stages;

import dev.upcall.bench.harness.Child;
import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.harness.Warmup;
import dev.upcall.bench.worker.Worker;
import dev.upcall.fileman.UpcallConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Measures the stages: each side is a process on one core, warm and cold over the same volume, one
 * process after the other. Of the repetitions of a point the one with the median of mean totals is
 * kept, whole, so that its stages belong together.
 */
public final class StagesRun {
  private static final long LOAD_SECONDS = 120;
  private static final long OPEN_SECONDS = 120;
  private static final long GRACE_SECONDS = 60;
  private static final long ROUND_MILLIS = 500;
  private static final int WARM_IN_FLIGHT = 50;
  private static final long CAP_BYTES = 2L << 30;

  private final Lab lab;
  private final StagePlan plan;
  private final String only;

  /**
   * In a lab.
   *
   * @param only sides with this in their names, as in {@code threads warm}; empty for all
   */
  public StagesRun(Lab lab, StagePlan plan, String only) {
    this.lab = lab;
    this.plan = plan;
    this.only = only;
  }

  /** Runs it to its end. */
  public StageTable run() throws IOException, InterruptedException {
    Path volume = lab.scratch().resolve("stages.upcall");
    load(volume);
    List<StageTable.Row> rows = new ArrayList<>();
    for (StageSide side : StageSide.values()) {
      for (boolean warm : new boolean[] {true, false}) {
        if (name(side, warm).contains(only)) {
          rows.addAll(measure(volume, side, warm));
        }
      }
    }
    Files.delete(volume);
    return new StageTable(plan, rows);
  }

  private static String name(StageSide side, boolean warm) {
    return side.key() + (warm ? " warm" : " cold");
  }

  private void load(Path volume) throws IOException, InterruptedException {
    lab.say("stages: writing %d files of %d bytes", plan.files(), plan.fileBytes());
    Map<String, Object> options =
        Map.of(
            "volume", volume,
            "files", plan.files(),
            "bytes", plan.fileBytes(),
            "cap", lab.settings().either(UpcallConfig.MIN_CAP_BYTES, CAP_BYTES));
    Child loading = lab.start("load", Worker.command(lab, "load", options));
    try {
      loading.await("ready", LOAD_SECONDS);
    } finally {
      lab.end(loading);
    }
  }

  private List<StageTable.Row> measure(Path volume, StageSide side, boolean warm)
      throws IOException, InterruptedException {
    Map<String, Object> options =
        Map.of(
            "volume",
            volume,
            "files",
            plan.files(),
            "bytes",
            plan.fileBytes(),
            "memory",
            warm ? plan.warmMemoryBytes() : plan.coldMemoryBytes(),
            "warm",
            warm,
            "side",
            side.key());
    String name = name(side, warm);
    List<String> command = Worker.command(lab, "stages", options);
    Child child = lab.start(name, lab.cores().pin(Cores.SERVER, command));
    try {
      child.await("ready", OPEN_SECONDS);
      new Warmup(lab, "  " + name)
          .run(child.pid(), () -> order(child, WARM_IN_FLIGHT, ROUND_MILLIS));
      List<StageTable.Row> rows = new ArrayList<>();
      for (int inFlight : plan.inFlight()) {
        StageTable.Row row = point(child, side, warm, inFlight);
        lab.say(
            "  %-14s %4d in flight: %s us, sums %s",
            name,
            inFlight,
            Numbers.show(row.total().mean()),
            row.sumsHold() ? "hold" : "DO NOT HOLD");
        rows.add(row);
      }
      return rows;
    } finally {
      lab.end(child);
    }
  }

  private StageTable.Row point(Child child, StageSide side, boolean warm, int inFlight)
      throws IOException, InterruptedException {
    List<StageTable.Row> samples = new ArrayList<>();
    for (int i = 0; i < lab.settings().repetitions(); i++) {
      Fields ran = order(child, inFlight, lab.settings().runMillis());
      samples.add(StageTable.Row.of(side, warm, inFlight, ran));
    }
    samples.sort(Comparator.comparingDouble(sample -> sample.total().mean()));
    return samples.get((samples.size() - 1) / 2);
  }

  private static Fields order(Child child, int inFlight, long millis)
      throws IOException, InterruptedException {
    child.send("run in-flight=" + inFlight + " millis=" + millis);
    return Fields.parse(child.await("ran", GRACE_SECONDS + millis / 1000));
  }
}
