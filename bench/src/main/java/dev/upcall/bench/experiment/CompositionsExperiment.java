package dev.upcall.bench.experiment;

import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.fileman.UpcallConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What it costs where the application sits: the same closed loop of open, read and close of files
 * of 4 KiB that are in memory, on the store's thread, on a thread of its own with a passive port,
 * and on many threads over the blocking facade. Beside them the same with plain files.
 */
public final class CompositionsExperiment implements Experiment {
  /** What the project expects of the shared thread, one in flight. */
  private static final double AIM = 5;

  private static final int[] DEPTHS = {1, 10, 100};

  @Override
  public String name() {
    return "compositions";
  }

  @Override
  public List<Comparison> prepare(Lab lab) {
    long files = lab.settings().either(100, 10_000);
    return java.util.Arrays.stream(DEPTHS).mapToObj(depth -> compare(lab, files, depth)).toList();
  }

  private Comparison compare(Lab lab, long files, int depth) {
    Figure figure = Figure.perSecond("reads");
    return new Comparison(
        name(),
        "open, read, close of 4 KiB in memory, %d in flight".formatted(depth),
        depth == 1 ? figure.aimingAt(AIM) : figure,
        List.of(
            store(lab, "upcall, shared thread", "shared", files, depth),
            store(lab, "upcall, own thread", "own", files, depth),
            store(lab, "upcall, platform threads", "platform", files, depth),
            store(lab, "upcall, virtual threads", "virtual", files, depth),
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
                    depth))));
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
