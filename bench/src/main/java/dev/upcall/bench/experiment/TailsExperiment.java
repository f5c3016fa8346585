package dev.upcall.bench.experiment;

import dev.upcall.bench.experiment.FreshEntrant.Job;
import dev.upcall.bench.experiment.FreshEntrant.Part;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.worker.Blocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How long the slowest of durable creates of 4 KiB take in a process and a store that are new: the
 * first ones, where code is not yet compiled, and those behind them. Against durable writes of 4
 * KiB in place, and other embedded stores.
 */
public final class TailsExperiment implements Experiment {
  private static final long MIB = 1L << 20;
  private static final long FIRST = 20_000;
  private static final long NEXT = 140_000;
  private static final int MANY = 64;
  private static final double FEW_AIM = 1.5;
  private static final double MANY_AIM = 2;
  private static final double RARE_AIM = 5;

  @Override
  public String name() {
    return "tails";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    Path plain = lab.scratch().resolve("tails.bin");
    Inputs.plainFile(plain, lab.settings().either(4 * MIB, 256 * MIB));
    long first = lab.settings().either(200, FIRST);
    long next = lab.settings().either(400, NEXT);
    Part begin = new Part(0, first);
    Part later = new Part(first, next);
    Figure p99 = Figure.p99Micros("creates");
    Figure p999 = Figure.p999Micros("creates");
    return List.of(
        comparison(lab, plain, 1, begin, p99),
        comparison(lab, plain, 1, later, p99.aimingAt(FEW_AIM)),
        comparison(lab, plain, 1, later, p999.aimingAt(RARE_AIM)),
        comparison(lab, plain, MANY, later, p99.aimingAt(MANY_AIM)));
  }

  private Comparison comparison(Lab lab, Path plain, int depth, Part part, Figure figure) {
    String which = part.skipped() == 0 ? "the first %,d" : "the next %,d";
    List<Entrant> entrants = new ArrayList<>();
    Path volume = lab.scratch().resolve("tails.upcall");
    entrants.add(
        FreshEntrant.of(
            "upcall",
            Role.OURS,
            new Job(
                "create",
                Inputs.creation(lab, volume, "AUTO", new Inputs.Creation(depth, 1, Blocks.BYTES)),
                volume),
            part));
    entrants.add(
        FioEntrant.whole(
            "fio, O_DSYNC overwrite",
            List.of(
                "--filename=" + plain,
                "--rw=randwrite",
                "--bs=4k",
                "--direct=1",
                "--sync=dsync",
                "--ioengine=pvsync2",
                "--thread",
                "--numjobs=" + depth,
                "--number_ios=" + part.counted() / depth,
                "--norandommap",
                "--randrepeat=0")));
    for (String peer : List.of("rocksdb", "sqlite")) {
      Path directory = lab.scratch().resolve("tails-" + peer);
      entrants.add(
          FreshEntrant.of(
              peer,
              Role.PEER,
              new Job(
                  "peer-create",
                  Map.of("store", peer, "directory", directory, "depth", depth),
                  directory),
              part));
    }
    return new Comparison(
        name(),
        "create of 4 KiB, durable, new process and store, %d outstanding: %s, %s"
            .formatted(depth, which.formatted(part.counted()), figure.label()),
        figure,
        entrants);
  }
}
