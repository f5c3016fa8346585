package dev.upcall.bench.stages;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.harness.Cores;
import dev.upcall.bench.harness.Fields;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Warmth;
import dev.upcall.bench.harness.Warmup;
import dev.upcall.bench.host.ThreadWatch;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Measures the stages: each side is a process on one core, warm and cold over the same volume, one
 * process after the other. It warms up on all cores until it is steady and is confined then. Of the
 * repetitions of a point the one with the median of mean totals is shown, whole, so that its stages
 * belong together.
 */
public final class StagesRun {
  private static final long LOAD_SECONDS = 120;
  private static final long OPEN_SECONDS = 120;
  private static final long GRACE_SECONDS = 60;
  private static final long ROUND_MILLIS = 400;
  private static final long PASS_MILLIS = 100;

  /** What is warm needs less for something else. */
  private static final int AGAIN = 2;

  private static final int WARM_IN_FLIGHT = 50;
  private static final long CAP_BYTES = 2L << 30;
  private static final String CORE = Integer.toString(Cores.SERVER);

  private final Lab lab;
  private final StagePlan plan;
  private final String only;
  private final Consumer<String> listener;

  /**
   * In a lab.
   *
   * @param only sides with this in their names, as in {@code threads warm}; empty for all
   * @param listener is told each side before it is measured
   */
  public StagesRun(Lab lab, StagePlan plan, String only, Consumer<String> listener) {
    this.lab = lab;
    this.plan = plan;
    this.only = only;
    this.listener = listener;
  }

  /** Runs it to its end. */
  public StageTable run() throws IOException, InterruptedException {
    Path volume = lab.scratch().resolve("stages.upcall");
    load(volume);
    List<StageTable.Row> samples = new ArrayList<>();
    Map<String, Warmth> warmths = new LinkedHashMap<>();
    for (StageSide side : StageSide.values()) {
      List<Boolean> caches =
          Stream.of(true, false).filter(warm -> name(side, warm).contains(only)).toList();
      if (!caches.isEmpty()) {
        measure(volume, side, caches, samples, warmths);
      }
    }
    Files.delete(volume);
    return StageTable.of(plan, samples, warmths);
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
            "cap", lab.settings().either(UpcallConfig.MIN_CAP_BYTES, CAP_BYTES),
            "tables", 0);
    WorkerProcess.start(lab, "load", Worker.command(lab, "load", options), LOAD_SECONDS).close();
  }

  private void measure(
      Path volume,
      StageSide side,
      List<Boolean> caches,
      List<StageTable.Row> samples,
      Map<String, Warmth> warmths)
      throws IOException, InterruptedException {
    Map<String, Object> options =
        Map.of(
            "volume", volume, "files", plan.files(), "bytes", plan.fileBytes(), "side", side.key());
    List<String> command = Worker.command(lab, lab.cores().jvmFlags(CORE), "stages", options);
    try (WorkerProcess worker = WorkerProcess.start(lab, side.key(), command, OPEN_SECONDS)) {
      int mostMillis = lab.settings().warmMillis();
      for (boolean warm : caches) {
        String name = name(side, warm);
        listener.accept(name);
        warmths.put(name, warm(worker, name, warm, mostMillis));
        mostMillis = lab.settings().warmMillis() / AGAIN; // the process is the same
        for (int repetition = 0; repetition < lab.settings().repetitions(); repetition++) {
          for (int inFlight : plan.inFlight()) {
            samples.add(sample(worker, side, warm, inFlight));
          }
        }
      }
    }
  }

  private Warmth warm(WorkerProcess worker, String name, boolean warm, int mostMillis)
      throws IOException, InterruptedException {
    lab.cores().confine(worker.pid(), Cores.ALL);
    if (!lab.settings().quick()) {
      for (int inFlight : plan.inFlight()) {
        order(worker, warm, inFlight, PASS_MILLIS);
      }
    }
    Warmth warmth =
        new Warmup(lab, "  " + name)
            .steady(
                worker.pid(),
                mostMillis,
                () -> StageTable.perSecond(order(worker, warm, WARM_IN_FLIGHT, ROUND_MILLIS)));
    lab.cores().confine(worker.pid(), CORE);
    return warmth;
  }

  private StageTable.Row sample(WorkerProcess worker, StageSide side, boolean warm, int inFlight)
      throws IOException, InterruptedException {
    ThreadWatch compiler = ThreadWatch.compiler(worker.pid());
    Fields ran = order(worker, warm, inFlight, lab.settings().runMillis());
    return StageTable.Row.of(side, warm, inFlight, ran).compiling(compiler.part());
  }

  private Fields order(WorkerProcess worker, boolean warm, int inFlight, long millis)
      throws IOException, InterruptedException {
    long memory = warm ? plan.warmMemoryBytes() : plan.coldMemoryBytes();
    return worker.run(
        "in-flight=%d millis=%d warm=%s memory=%d".formatted(inFlight, millis, warm, memory),
        GRACE_SECONDS + millis / 1000);
  }
}
