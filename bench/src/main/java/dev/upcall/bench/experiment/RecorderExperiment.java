package dev.upcall.bench.experiment;

import dev.upcall.UpcallConfig;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the flight recorder costs, in memory as it always is, and with files: warm GETs of 8 KiB and
 * durable creates of 4 KiB, 64 at once, against the same store that records nothing.
 */
public final class RecorderExperiment implements Experiment {
  private static final int AT_ONCE = 64;
  private static final int GET_BYTES = 8 << 10;
  private static final int CREATE_BYTES = 4 << 10;
  private static final double MEMORY_AIM = 0.97;
  private static final double FILES_AIM = 0.95;
  private static final String IN_MEMORY = "upcall, recorder in memory";
  private static final String WITH_FILES = "upcall, recorder with files";
  private static final String OFF = "upcall, no recorder";

  @Override
  public String name() {
    return "recorder";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    return List.of(gets(lab, false), gets(lab, true), creates(lab, false), creates(lab, true));
  }

  private Comparison gets(Lab lab, boolean toFiles) throws IOException {
    Path folder = Files.createDirectory(lab.scratch().resolve(unique("site", toFiles)));
    List<String> paths =
        HttpExperiment.smallFiles(folder, (int) lab.settings().either(10, 200), GET_BYTES);
    Wrk load = Wrk.gets(lab, AT_ONCE, paths);
    Server recording =
        toFiles
            ? Server.upcall(
                folder,
                Server.QUEUE_FLAGS,
                List.of("--record=" + lab.scratch().resolve("recorded-gets")))
            : Server.upcall(folder, List.of());
    Server off = Server.upcall(folder, List.of("--records-kept=0"));
    return compare(
        "GET of 8 KiB, warm, %d connections, one core".formatted(AT_ONCE),
        toFiles,
        Figure.perSecond("requests"),
        ServerEntrant.of(
            new Server(toFiles ? WITH_FILES : IN_MEMORY, Role.OURS, recording),
            load,
            folder,
            paths),
        ServerEntrant.of(new Server(OFF, Role.PEER, off), load, folder, paths));
  }

  private Comparison creates(Lab lab, boolean toFiles) {
    Map<String, Object> recorded = create(lab, unique("recorded", toFiles));
    recorded.put("kept", UpcallConfig.DEFAULT.drive().recordsKept());
    if (toFiles) {
      recorded.put("folder", lab.scratch().resolve("recorded-creates"));
    }
    Map<String, Object> off = create(lab, unique("off", toFiles));
    off.put("kept", 0);
    return compare(
        "create of 4 KiB, durable, %d outstanding".formatted(AT_ONCE),
        toFiles,
        Figure.perSecond("creates"),
        WorkerEntrant.of(
            toFiles ? WITH_FILES : IN_MEMORY,
            Role.OURS,
            toFiles ? Server.QUEUE_FLAGS : List.of(),
            "create",
            recorded),
        WorkerEntrant.of(OFF, Role.PEER, "create", off));
  }

  private static Map<String, Object> create(Lab lab, String name) {
    Path volume = lab.scratch().resolve(name + ".upcall");
    return new HashMap<>(
        Inputs.creation(lab, volume, "AUTO", new Inputs.Creation(AT_ONCE, 1, CREATE_BYTES)));
  }

  private static String unique(String name, boolean toFiles) {
    return name + (toFiles ? "-files" : "-memory");
  }

  private Comparison compare(
      String what, boolean toFiles, Figure figure, Entrant recorded, Entrant off) {
    return new Comparison(
        name(),
        what + (toFiles ? ", recorder with files" : ", recorder in memory"),
        figure.aimingAt(toFiles ? FILES_AIM : MEMORY_AIM),
        List.of(recorded, off));
  }
}
