package dev.upcall.bench.experiment;

import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.DeviceSettings;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a block trace to a file costs: warm GETs of 8 KiB, which ask a device for nothing, and cold
 * reads of 4 KiB, each of which is an entry; against the same store that traces nothing.
 */
public final class BlocktraceExperiment implements Experiment {
  private static final long MIB = 1L << 20;
  private static final int AT_ONCE = 64;
  private static final int DEEP = 32;
  private static final int GET_BYTES = 8 << 10;
  private static final double AIM = 0.99;
  private static final String TRACED = "upcall, block trace";
  private static final String OFF = "upcall, no trace";

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
    Path file = lab.scratch().resolve("gets.trace");
    Server traced = Server.upcall(folder, List.of("--block-trace=" + file));
    Server off = Server.upcall(folder, List.of());
    return compare(
        "GET of 8 KiB, warm, %d connections, one core".formatted(AT_ONCE),
        Figure.perSecond("requests"),
        ServerEntrant.of(new Server(TRACED, Role.OURS, traced), load, folder, paths),
        ServerEntrant.of(new Server(OFF, Role.PEER, off), load, folder, paths));
  }

  private Comparison reads(Lab lab) throws IOException {
    long bytes = lab.settings().either(32 * MIB, 1024 * MIB);
    Path volume = lab.scratch().resolve("traced-reads.upcall");
    Path untraced = lab.scratch().resolve("untraced-reads.upcall");
    Inputs.volume(lab, volume, bytes);
    Inputs.volume(lab, untraced, bytes);
    Map<String, Object> traced = reading(lab, volume);
    traced.put(DeviceSettings.TRACES, Files.createDirectory(lab.scratch().resolve("traces")));
    return compare(
        "random 4 KiB of %d MiB, cold, %d outstanding".formatted(bytes / MIB, DEEP),
        Figure.perSecond("reads"),
        WorkerEntrant.of(TRACED, Role.OURS, "read", traced),
        WorkerEntrant.of(OFF, Role.PEER, "read", reading(lab, untraced)));
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

  private Comparison compare(String what, Figure figure, Entrant traced, Entrant off) {
    return new Comparison(name(), what, figure.aimingAt(AIM), List.of(traced, off));
  }
}
