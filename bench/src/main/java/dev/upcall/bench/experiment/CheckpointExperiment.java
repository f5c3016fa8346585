package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.CheckpointEntrants;
import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.worker.Worker;
import dev.upcall.bench.worker.WorkerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Latency of cold reads while a checkpoint is written, against the same reads of the same process
 * just before.
 */
public final class CheckpointExperiment implements Experiment {
  private static final long MIB = 1L << 20;
  private static final int DEPTH = 8;
  private static final double AIM = 1.5;
  private static final int FILE_BYTES = 512;
  private static final long LOAD_SECONDS = 300;

  @Override
  public String name() {
    return "checkpoint";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException, InterruptedException {
    return List.of(
        comparison(lab, "create", "new files of 4 KiB"),
        comparison(lab, "touch", "small changes everywhere"));
  }

  private Comparison comparison(Lab lab, String kind, String what) {
    Path volume = lab.scratch().resolve("checkpoint-%s.upcall".formatted(kind));
    long files = lab.settings().either(2_000, 100_000);
    Map<String, Object> options =
        Map.of(
            "volume", volume,
            "file", Inputs.FILE,
            "files", files,
            "kind", kind,
            "memory", lab.settings().either(16 * MIB, 256 * MIB),
            "depth", DEPTH);
    return new Comparison(
        name(),
        "read of 4 KiB, %d outstanding, with a checkpoint of %s".formatted(DEPTH, what),
        Figure.p99Micros("reads").aimingAt(AIM),
        CheckpointEntrants.of(started -> make(started, volume, files), options));
  }

  private static void make(Lab lab, Path volume, long files)
      throws IOException, InterruptedException {
    Map<String, ?> options =
        Map.of(
            "volume", volume,
            "files", files,
            "bytes", FILE_BYTES,
            "cap", Inputs.capBytes(lab),
            "tables", 0);
    WorkerProcess.start(lab, "load", Worker.command(lab, "load", options), LOAD_SECONDS).close();
    Inputs.addFile(volume, lab.settings().either(16 * MIB, 1024 * MIB));
  }
}
