package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.FioEntrant;
import dev.upcall.bench.entrant.FreshEntrant;
import dev.upcall.bench.entrant.FreshEntrant.Job;
import dev.upcall.bench.entrant.FreshEntrant.Part;
import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.job.Blocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How long the slowest of durable creates of 4 KiB take in a process and a store that are new: the
 * first ones, where code is not yet compiled, those behind them, and many more, by which time what
 * goes on in the background has to have kept up. Against durable writes of 4 KiB in place, and
 * other embedded stores; beside what the device is asked for with no store above.
 */
public final class TailsExperiment implements Experiment {
  private static final long MIB = 1L << 20;
  private static final long FIRST = 20_000;
  private static final long NEXT = 140_000;
  private static final long LATER = 600_000;
  private static final int MANY = 64;

  /** Of what is there with no store: a log of 64 MiB, and room for all that is created. */
  private static final long LOG_BLOCKS = 16_384;

  private static final long PLACE_BLOCKS = 1 << 20;

  /** Placed together, as the store does; in longer writes than it makes, which is best here. */
  private static final long GROUP_BLOCKS = 1024;

  private static final long PIECE_BLOCKS = 256;
  private static final String ROCKS = "rocksdb";
  private static final List<String> PEERS = List.of(ROCKS, "sqlite");

  /** What the slowest may take, as multiples of a durable write in place; and its rate. */
  private static final double FEW_AIM = 1.5;

  private static final double MANY_AIM = 2;
  private static final double RARE_AIM = 5;
  private static final double RATE_AIM = 0.85;
  private static final double FIRST_AIM_MICROS = 1000;

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
    Figure p99 = Figure.p99Micros("creates");
    Figure begin = p99.aimingAt(Aim.number(Figure.Kind.P99_MICROS, FIRST_AIM_MICROS));
    Figure later =
        p99.aimingAt(FEW_AIM)
            .aimingAt(Aim.ratio(Figure.Kind.P99_MICROS, 1).beside(ROCKS))
            .aimingAt(Aim.ratio(Figure.Kind.P999_MICROS, RARE_AIM))
            .aimingAt(Aim.ratio(Figure.Kind.PER_SECOND, RATE_AIM));
    return List.of(
        comparison(lab, plain, 1, new Creates(0, first, PEERS), begin),
        comparison(lab, plain, 1, new Creates(first, next, PEERS), later),
        comparison(lab, plain, MANY, new Creates(first, next, PEERS), p99.aimingAt(MANY_AIM)),
        comparison(
            lab,
            plain,
            MANY,
            // One commit of SQLite's carries one: minutes for what others do in 20 s.
            new Creates(first + next, lab.settings().either(400, LATER), List.of(ROCKS)),
            Figure.p999Micros("creates")));
  }

  /**
   * Creates that count, behind others.
   *
   * @param peers other stores that make them
   */
  private record Creates(long skipped, long counted, List<String> peers) {}

  private Comparison comparison(Lab lab, Path plain, int depth, Creates which, Figure figure) {
    Part part = Part.units(which.skipped(), which.counted());
    String words =
        which.skipped() == 0
            ? "the first %,d".formatted(which.counted())
            : "the next %,d behind %,d".formatted(which.counted(), which.skipped());
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
        FioEntrant.watched(
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
                "--number_ios=" + which.counted() / depth,
                "--norandommap",
                "--randrepeat=0"),
            FreshEntrant.UNIT_PEAK_MILLIS));
    Path bare = lab.scratch().resolve("tails-bare.bin");
    entrants.add(
        FreshEntrant.of(
            "no store: log and places",
            Role.CEILING,
            new Job(
                "seam-commit",
                Map.of(
                    "volume", bare,
                    "disk", "AUTO",
                    "depth", depth,
                    "log", lab.settings().either(256, LOG_BLOCKS),
                    "places", lab.settings().either(1024, PLACE_BLOCKS),
                    "group", lab.settings().either(64, GROUP_BLOCKS),
                    "piece", lab.settings().either(16, PIECE_BLOCKS)),
                bare),
            part));
    for (String peer : which.peers()) {
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
        "create of 4 KiB, durable, new process and store, %d outstanding: %s"
            .formatted(depth, words),
        figure,
        entrants);
  }
}
