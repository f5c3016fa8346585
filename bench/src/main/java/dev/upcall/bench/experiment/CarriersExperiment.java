package dev.upcall.bench.experiment;

import dev.upcall.Engine;
import dev.upcall.UpcallConfig;
import dev.upcall.bench.entrant.WorkerEntrant;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What virtual threads cost that wait for a file: each waits in a system call with its carrier, so
 * the scheduler adds carriers. Small reads from the device by the engine of threads, on platform
 * and on virtual threads.
 */
public final class CarriersExperiment implements Experiment {
  private static final int[] DEPTHS = {1, 32, 256};

  @Override
  public String name() {
    return "carriers";
  }

  @Override
  public List<Comparison> prepare(Lab lab) {
    return Arrays.stream(DEPTHS).mapToObj(depth -> compare(lab, depth)).toList();
  }

  private Comparison compare(Lab lab, int depth) {
    return new Comparison(
        name(),
        "cold reads of 4 KiB, %d threads".formatted(depth),
        Figure.perSecond("reads"),
        List.of(
            store(lab, "upcall, virtual threads", Role.OURS, Engine.VIRTUAL, depth),
            store(lab, "platform threads", Role.PEER, Engine.THREADS, depth)));
  }

  private static Entrant store(Lab lab, String name, Role role, Engine engine, int depth) {
    String volume = engine.name().toLowerCase(Locale.ROOT) + "-" + depth + ".upcall";
    return WorkerEntrant.of(
        name,
        role,
        "carriers",
        Map.of(
            "volume", lab.scratch().resolve(volume),
            "files", lab.settings().either(100, 20_000),
            "depth", depth,
            "engine", engine.name(),
            "cap", lab.settings().either(UpcallConfig.MIN_CAP_BYTES, 512L << 20)));
  }
}
