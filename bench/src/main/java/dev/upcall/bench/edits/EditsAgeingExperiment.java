package dev.upcall.bench.edits;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.entrant.FreshEntrant;
import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What is left of the rate of small durable inserts into many files when they have gone on for
 * long: pieces become many, and what the policy copies comes due. Each sample is a new process with
 * new files, warmed up on others.
 */
public final class EditsAgeingExperiment implements Experiment {
  private static final int MIB = 1 << 20;
  private static final int INSERT_BYTES = 100;
  private static final long WARM_MILLIS = 20_000;
  private static final int PEAK_MILLIS = 1_000;
  private static final double KEPT_AIM = 0.4;

  @Override
  public String name() {
    return "edits-ageing";
  }

  @Override
  public List<Comparison> prepare(Lab lab) {
    Path directory = lab.scratch().resolve("edits-ageing");
    long millis = lab.settings().ageMillis();
    Map<String, ?> options =
        Map.of(
            "directory",
            directory,
            "cap",
            lab.settings().either(UpcallConfig.MIN_CAP_BYTES, 0),
            "sides",
            "small-files,files",
            "bytes",
            INSERT_BYTES,
            "size",
            lab.settings().either(MIB / 16, 100 * MIB),
            "edits",
            0,
            "files",
            0);
    FreshEntrant.Part part =
        FreshEntrant.Part.time("side=files", millis, (int) lab.settings().either(10, PEAK_MILLIS))
            .behind("side=small-files millis=" + lab.settings().either(10, WARM_MILLIS));
    return List.of(
        new Comparison(
            name(),
            "%d bytes, durable, 64 files of 100 MiB, one outstanding in each, for %,d s"
                .formatted(INSERT_BYTES, millis / 1000),
            Figure.perSecond("inserts").aimingAt(Aim.number(Figure.Kind.KEPT, KEPT_AIM)),
            List.of(
                FreshEntrant.of(
                    "upcall, insert",
                    Role.OURS,
                    new FreshEntrant.Job("edits", options, directory),
                    part))));
  }
}
