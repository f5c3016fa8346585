package dev.upcall.bench.experiment;

import dev.upcall.UpcallConfig;
import dev.upcall.bench.entrant.FreshEntrant;
import dev.upcall.bench.entrant.FreshEntrant.Job;
import dev.upcall.bench.entrant.FreshEntrant.Part;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * How long puts take in a store that is nearly full, while files are put, overwritten, appended to
 * and deleted for a long time; against plain files by the same steps. Each sample is a new process
 * with new files.
 */
public final class AgeingExperiment implements Experiment {
  private static final long MIB = 1L << 20;
  private static final long CAP_BYTES = 512 * MIB;
  private static final int FULL_PERCENT = 80;
  private static final int TINY_PERCENT = 15;
  private static final int THREADS = 4;
  private static final int PEAK_MILLIS = 1000;
  private static final double AIM_MICROS = 50_000;

  @Override
  public String name() {
    return "ageing";
  }

  @Override
  public List<Comparison> prepare(Lab lab) {
    long cap = lab.settings().either(UpcallConfig.MIN_CAP_BYTES, CAP_BYTES);
    int percent = (int) lab.settings().either(TINY_PERCENT, FULL_PERCENT);
    long live = cap / 100 * percent;
    long millis = lab.settings().ageMillis();
    String title =
        "put, overwrite, append, delete by %d threads for %,d s, live files %d %% of %d MiB"
            .formatted(THREADS, millis / 1000, percent, cap / MIB);
    Figure longest =
        Figure.longestMicros("steps")
            .aimingAt(Aim.number(Figure.Kind.LONGEST_MICROS, AIM_MICROS))
            .aimingAt(Aim.ratio(Figure.Kind.P999_MICROS, 1));
    Part part = Part.time(millis, lab.settings().quick() ? 10 : PEAK_MILLIS);
    return List.of(
        new Comparison(
            name(),
            title,
            longest,
            List.of(
                FreshEntrant.of("upcall", Role.OURS, keeper(lab, "store", cap, live), part),
                FreshEntrant.of(
                    "plain files, fsync", Role.PEER, keeper(lab, "plain", cap, live), part))));
  }

  private static Job keeper(Lab lab, String keeper, long cap, long live) {
    Path place = lab.scratch().resolve("age-" + keeper);
    return new Job(
        "age",
        Map.of(
            "keeper", keeper,
            "place", place,
            "cap", cap,
            "live", live,
            "threads", THREADS),
        place);
  }
}
