package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.FioEntrant;
import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.entrant.WorkerEntrant;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Cold random reads of 4 KiB through the file manager, from a file much larger than the store's
 * memory, against fio with io_uring and direct I/O. The ceiling is our disk seam alone.
 */
public final class ReadsExperiment implements Experiment {
  private static final long MIB = 1L << 20;
  private static final double AIM = 0.85;
  private static final int DEEP = 32;

  @Override
  public String name() {
    return "reads";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    long bytes = lab.settings().either(32 * MIB, 1024 * MIB);
    long memory = lab.settings().either(16 * MIB, 64 * MIB);
    Path volume = lab.scratch().resolve("reads.upcall");
    Path plain = lab.scratch().resolve("reads.bin");
    lab.say("reads: writing two files of %d MiB", bytes / MIB);
    Inputs.volume(lab, volume, bytes);
    Inputs.plainFile(plain, bytes);
    Source source = new Source(volume, plain, bytes, memory);
    Figure figure = Figure.perSecond("reads");
    return List.of(
        random(source, figure, 1),
        random(source, figure.aimingAt(AIM), DEEP),
        new Comparison(
            name(),
            "the same through the thread pool, %d outstanding".formatted(DEEP),
            figure,
            source.sides("CHANNEL", DEEP)));
  }

  private Comparison random(Source source, Figure figure, int depth) {
    String title =
        "random 4 KiB of %d MiB, %d outstanding, store with %d MiB of memory"
            .formatted(source.bytes() / MIB, depth, source.memory() / MIB);
    return new Comparison(name(), title, figure, source.sides("RING", depth));
  }

  /** What is read, and the store's memory for it. */
  private record Source(Path volume, Path plain, long bytes, long memory) {
    List<Entrant> sides(String disk, int depth) {
      String lower = disk.toLowerCase(Locale.ROOT);
      return List.of(
          WorkerEntrant.of(
              "upcall, " + lower,
              Role.OURS,
              "read",
              Map.of(
                  "volume", volume,
                  "file", Inputs.FILE,
                  "memory", memory,
                  "disk", disk,
                  "depth", depth)),
          fio(plain, bytes, depth),
          WorkerEntrant.of(
              "disk seam alone, " + lower,
              Role.CEILING,
              "seam-read",
              Map.of("file", plain, "disk", disk, "depth", depth)));
    }
  }

  private static Entrant fio(Path file, long bytes, int depth) {
    return FioEntrant.of(
        "fio, io_uring",
        List.of(
            "--filename=" + file,
            "--size=" + bytes,
            "--rw=randread",
            "--bs=4k",
            "--direct=1",
            "--ioengine=io_uring",
            "--norandommap",
            "--randrepeat=0",
            "--iodepth=" + depth));
  }
}
