package dev.upcall.bench.experiment;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.entrant.WorkerEntrant;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Curve;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What it costs where the application sits: the same closed loop of open, read and close of files
 * of 4 KiB that are in memory, on the store's thread, on a thread of its own with a passive port,
 * and on many threads over the blocking facade. Beside them the same with plain files, and with
 * values in other embedded stores, by as many platform threads; and a copy of memory that a map
 * knows, which is the least that a reader who is given bytes of his own has to pay.
 */
public final class CompositionsExperiment implements Experiment {
  private static final String SHARED = "upcall, shared thread";
  private static final String OWN = "upcall, own thread";
  private static final String PLATFORM = "upcall, platform threads";
  private static final String VIRTUAL = "upcall, virtual threads";

  /** Peers by their names on the worker's command line. */
  private static final List<String> STORES = List.of("lmdb", "mvstore", "rocksdb");

  /**
   * What is expected, as multiples of {@link java.nio.file.Files#readAllBytes} by as many threads.
   *
   * @param inFlight reads, or threads
   * @param own thread with a passive port
   */
  private record Load(int inFlight, double own) {}

  private static final List<Load> LOADS =
      List.of(new Load(1, 1), new Load(10, 1), new Load(100, 2));
  private static final double SHARED_AIM = 5;
  private static final double THREADS_AIM = 2;
  private static final int VIRTUAL_THREADS = 10;
  private static final Figure.Kind KIND = Figure.Kind.PER_SECOND;

  @Override
  public String name() {
    return "compositions";
  }

  @Override
  public List<Comparison> prepare(Lab lab) {
    long files = lab.settings().either(100, 10_000);
    return LOADS.stream().map(load -> compare(lab, files, load)).toList();
  }

  private Comparison compare(Lab lab, long files, Load load) {
    int depth = load.inFlight();
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(store(lab, SHARED, "shared", files, depth));
    entrants.add(store(lab, OWN, "own", files, depth));
    entrants.add(store(lab, PLATFORM, "platform", files, depth));
    entrants.add(store(lab, VIRTUAL, "virtual", files, depth));
    entrants.add(
        WorkerEntrant.of(
            "Files.readAllBytes, threads",
            Role.PEER,
            "plain-read",
            Map.of(
                "folder",
                lab.scratch().resolve("plain-" + depth),
                "files",
                files,
                "depth",
                depth)));
    entrants.add(
        WorkerEntrant.of(
            "a map and a copy, threads",
            Role.CEILING,
            "memory-read",
            Map.of("files", files, "depth", depth)));
    for (String peer : STORES) {
      Path directory = lab.scratch().resolve("read-" + peer + "-" + depth);
      entrants.add(
          WorkerEntrant.of(
              peer + ", threads",
              Role.PEER,
              "peer-read",
              Map.of("store", peer, "directory", directory, "files", files, "depth", depth)));
    }
    return new Comparison(
            name(),
            "open, read, close of 4 KiB in memory, %d in flight".formatted(depth),
            figure(load),
            entrants)
        .in(Curve.at("Throughput over threads, or reads in flight", "in flight", depth, entrants));
  }

  private static Figure figure(Load load) {
    Figure figure = Figure.perSecond("reads");
    if (load.inFlight() == 1) {
      figure = figure.aimingAt(Aim.ratio(KIND, SHARED_AIM).of(SHARED));
    }
    figure = figure.aimingAt(Aim.ratio(KIND, load.own()).of(OWN));
    figure = figure.aimingAt(Aim.ratio(KIND, THREADS_AIM).of(PLATFORM));
    if (load.inFlight() == VIRTUAL_THREADS) {
      figure = figure.aimingAt(Aim.ratio(KIND, THREADS_AIM).of(VIRTUAL));
    }
    return figure
        .aimingAt(Aim.ratio(KIND, 1).of(PLATFORM).beside("mvstore, threads"))
        .aimingAt(Aim.ratio(KIND, 1).of(PLATFORM).beside("rocksdb, threads"));
  }

  private static Entrant store(Lab lab, String name, String composition, long files, int depth) {
    Path volume = lab.scratch().resolve(composition + "-" + depth + ".upcall");
    return WorkerEntrant.of(
        name,
        Role.OURS,
        "composition",
        Map.of(
            "volume", volume,
            "files", files,
            "depth", depth,
            "composition", composition,
            "cap", lab.settings().either(UpcallConfig.MIN_CAP_BYTES, 512L << 20)));
  }
}
