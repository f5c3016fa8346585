package dev.upcall.bench.tpcc;

import dev.upcall.bench.entrant.WorkerEntrant;
import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.worker.Worker;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Transactions a minute of TPC-C's program, all five kinds, by terminals that do not think: on our
 * tables, on SQLite and on MVStore's transaction store.
 */
public final class TpccExperiment implements Experiment {
  private static final long MEMORY_BYTES = 256L << 20;
  private static final long TINY_MEMORY_BYTES = 16L << 20;
  private static final long LOAD_SECONDS = 1800;
  private static final int STANDARD_WAREHOUSES = 4;
  private static final int STANDARD_MINUTES = 5;
  private static final int TERMINALS = 8;

  @Override
  public String name() {
    return "tpcc";
  }

  @Override
  public List<Comparison> prepare(Lab lab) {
    boolean isLarge = lab.settings().ageMinutes() >= STANDARD_MINUTES;
    Scale scale =
        lab.settings().quick() ? Scale.tiny() : Scale.full(isLarge ? STANDARD_WAREHOUSES : 1);
    return List.of(comparison(lab, scale, TERMINALS), comparison(lab, scale, 1));
  }

  private Comparison comparison(Lab lab, Scale scale, int terminals) {
    return new Comparison(
        name(),
        "transactions of all kinds, %d warehouse%s, %d terminal%s, durable"
            .formatted(
                scale.warehouses(),
                scale.warehouses() == 1 ? "" : "s",
                terminals,
                terminals == 1 ? "" : "s"),
        Figure.perMinute("transactions"),
        List.of(
            entrant(lab, "upcall", Role.OURS, "upcall", scale, terminals),
            entrant(lab, "SQLite, WAL, FULL", Role.PEER, "sqlite", scale, terminals),
            entrant(lab, "H2 MVStore, transaction store", Role.PEER, "mvstore", scale, terminals)));
  }

  private static Entrant entrant(
      Lab lab, String name, Role role, String store, Scale scale, int terminals) {
    Path directory = lab.scratch().resolve("tpcc-" + store);
    long memoryBytes = lab.settings().either(TINY_MEMORY_BYTES, MEMORY_BYTES);
    List<String> command =
        Worker.command(lab, "tpcc", options(directory, memoryBytes, store, scale, terminals));
    return new Entrant(
        name, role, started -> WorkerEntrant.start(started, name, command, null, LOAD_SECONDS));
  }

  /** The options of a worker. */
  static Map<String, Object> options(
      Path directory, long memoryBytes, String store, Scale scale, int terminals) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("store", store);
    options.put("directory", directory);
    options.put("memory", memoryBytes);
    options.put("warehouses", scale.warehouses());
    options.put("customers", scale.customers());
    options.put("items", scale.items());
    options.put("terminals", terminals);
    options.put("seed", 1);
    return options;
  }
}
