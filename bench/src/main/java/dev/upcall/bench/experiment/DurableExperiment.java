package dev.upcall.bench.experiment;

import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Durable creation of files of 4 KiB through the file manager, each a commit of its own, against
 * the plain file system and against what a durable write of 4 KiB in place costs.
 */
public final class DurableExperiment implements Experiment {
  private static final long MIB = 1L << 20;

  @Override
  public String name() {
    return "durable";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    Path plain = lab.scratch().resolve("durable.bin");
    long bytes = lab.settings().either(4 * MIB, 256 * MIB);
    Inputs.plainFile(plain, bytes);
    List<Comparison> comparisons = new ArrayList<>();
    for (int depth : new int[] {1, 64}) {
      comparisons.add(
          new Comparison(
              name(),
              "create of 4 KiB, durable, %d outstanding".formatted(depth),
              Figure.perSecond("creates"),
              List.of(
                  store(lab, "RING", depth),
                  store(lab, "CHANNEL", depth),
                  WorkerEntrant.of(
                      "file system, %d thread%s".formatted(depth, depth == 1 ? "" : "s"),
                      Role.PEER,
                      "plain-create",
                      Map.of("directory", lab.scratch().resolve("plain-" + depth), "depth", depth)),
                  fio(plain, bytes, depth))));
    }
    return comparisons;
  }

  private static Entrant store(Lab lab, String disk, int depth) {
    String lower = disk.toLowerCase(Locale.ROOT);
    Path volume = lab.scratch().resolve("durable-%s-%d.upcall".formatted(lower, depth));
    return WorkerEntrant.of(
        "upcall, " + lower,
        Role.OURS,
        "create",
        Map.of("volume", volume, "disk", disk, "depth", depth, "cap", Inputs.capBytes(lab)));
  }

  private static Entrant fio(Path file, long bytes, int depth) {
    return FioEntrant.of(
        "fio, O_DSYNC overwrite",
        List.of(
            "--filename=" + file,
            "--size=" + bytes,
            "--rw=randwrite",
            "--bs=4k",
            "--direct=1",
            "--sync=dsync",
            "--ioengine=pvsync2",
            "--thread",
            "--numjobs=" + depth,
            "--norandommap",
            "--randrepeat=0"));
  }
}
