package dev.upcall.bench.experiment;

import dev.upcall.bench.entrant.Inputs;
import dev.upcall.bench.entrant.RecoveryEntrant;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How long a store takes to open after SIGKILL, by its number of files, with a log that is as full
 * as it gets before a checkpoint begins, or as many tree pages changed. It should depend on the log
 * only. Each side is a store of another size, from a thousand files to a million (10 GB).
 */
public final class RecoveryExperiment implements Experiment {
  /** So that a million are 10 GB. */
  private static final int FILE_BYTES = 10_000;

  private static final long MOST_FILES = 1_000_000;
  private static final long QUICK_FILES = 2_000;
  private static final int STEP = 10;

  @Override
  public String name() {
    return "recovery";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    return List.of(
        comparison(lab, "create", "the log full of new files of 4 KiB"),
        comparison(lab, "touch", "as many small changes everywhere as there can be"));
  }

  private Comparison comparison(Lab lab, String kind, String what) throws IOException {
    List<Entrant> stores = new ArrayList<>();
    long most = lab.settings().either(QUICK_FILES, MOST_FILES);
    for (long files = lab.settings().either(most / STEP, 1000); files <= most; files *= STEP) {
      // Both comparisons use the same stores.
      Path volume = lab.input("recovery-%d.upcall".formatted(files));
      RecoveryEntrant.Store store =
          new RecoveryEntrant.Store(volume, files, FILE_BYTES, Inputs.capBytes(lab));
      stores.add(
          new Entrant(
              String.format(Locale.ROOT, "upcall, %,d files", files),
              Role.OURS,
              started -> RecoveryEntrant.start(started, store, kind)));
    }
    return new Comparison(
        name(), "opening after SIGKILL, " + what, Figure.millis("openings"), stores);
  }
}
