package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.entrant.Server;
import dev.upcall.bench.entrant.ServerEntrant;
import dev.upcall.bench.entrant.WorkerEntrant;
import dev.upcall.bench.entrant.Wrk;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.host.DeviceSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a block trace to a file costs: warm GETs of 8 KiB, which ask a device for nothing, and cold
 * reads of 4 KiB, each of which is an entry; against the same store that traces nothing. That one
 * stands twice in each table: by as much as its two rows differ, a difference means nothing.
 */
public final class BlocktraceExperiment implements Experiment {
  private static final long MIB = 1L << 20;
  private static final int AT_ONCE = 64;
  private static final int DEEP = 32;
  private static final int GET_BYTES = 8 << 10;
  private static final double AIM = 0.99;
  private static final String TRACED = "upcall, block trace";
  private static final String OFF = "upcall, no trace";
  private static final String OFF_AGAIN = "upcall, no trace, once more";

  @Override
  public String name() {
    return "blocktrace";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    return List.of(gets(lab), reads(lab));
  }

  private Comparison gets(Lab lab) throws IOException {
    Path folder = Files.createDirectory(lab.scratch().resolve("traced-site"));
    List<String> paths =
        HttpExperiment.smallFiles(folder, (int) lab.settings().either(10, 200), GET_BYTES);
    Wrk load = Wrk.gets(lab, AT_ONCE, paths);
    Server off = Server.upcall(folder, List.of());
    return compare(
        "GET of 8 KiB, warm, %d connections, one core, each sample a new server".formatted(AT_ONCE),
        Figure.perSecond("requests"),
        List.of(
            ServerEntrant.fresh(traced(folder), load, folder, paths),
            ServerEntrant.fresh(new Server(OFF, Role.PEER, off), load, folder, paths),
            ServerEntrant.fresh(new Server(OFF_AGAIN, Role.PEER, off), load, folder, paths)));
  }

  /** Each start with a file of its own: a trace writes over nothing. */
  private static Server traced(Path folder) {
    return new Server(
        TRACED,
        Role.OURS,
        true,
        lab -> {
          Path traces = Files.createTempDirectory(lab.scratch(), "traces-");
          List<String> options = List.of("--block-trace=" + traces.resolve("gets.trace"));
          return Server.upcall(folder, options).opening().open(lab);
        });
  }

  private Comparison reads(Lab lab) throws IOException {
    long bytes = lab.settings().either(32 * MIB, 1024 * MIB);
    Path volume = lab.scratch().resolve("traced-reads.upcall");
    Path untraced = lab.scratch().resolve("untraced-reads.upcall");
    Path again = lab.scratch().resolve("untraced-reads-again.upcall");
    for (Path each : List.of(volume, untraced, again)) {
      Inputs.volume(lab, each, bytes);
    }
    Map<String, Object> traced = reading(lab, volume);
    traced.put(DeviceSettings.TRACES, Files.createDirectory(lab.scratch().resolve("traces")));
    return compare(
        "random 4 KiB of %d MiB, cold, %d outstanding".formatted(bytes / MIB, DEEP),
        Figure.perSecond("reads"),
        List.of(
            WorkerEntrant.of(TRACED, Role.OURS, "read", traced),
            WorkerEntrant.of(OFF, Role.PEER, "read", reading(lab, untraced)),
            WorkerEntrant.of(OFF_AGAIN, Role.PEER, "read", reading(lab, again))));
  }

  private static Map<String, Object> reading(Lab lab, Path volume) {
    return new HashMap<>(
        Map.of(
            "volume",
            volume,
            "file",
            Inputs.FILE,
            "memory",
            lab.settings().either(16 * MIB, 64 * MIB),
            "disk",
            "AUTO",
            "depth",
            DEEP));
  }

  private Comparison compare(String what, Figure figure, List<Entrant> entrants) {
    return new Comparison(name(), what, figure.aimingAt(AIM), entrants);
  }
}
