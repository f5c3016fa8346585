package dev.upcall.sim.store.campaign;

import dev.upcall.sim.store.plan.Canary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Records lifetimes of a campaign, each in a directory of its own: those that fail at a place at
 * which none has failed before, and not many of them. A lifetime is run once more for it, which
 * gives the same. Any thread.
 */
final class SimRecordings {
  private static final int MOST = 8;

  private final Path folder;
  private final Which which;
  private final List<Path> made = new ArrayList<>();

  /** Which lifetimes are recorded. */
  enum Which {
    /** None. */
    NONE,
    /** The first that fail at each place. */
    FAILURES,
    /** Each. */
    ALL
  }

  /**
   * Nothing is recorded yet.
   *
   * @param folder where the directories are made
   */
  SimRecordings(Path folder, Which which) {
    this.folder = folder;
    this.which = which;
  }

  /** A lifetime has ended, and did not fail, or as others did before, or in a new way. */
  void ended(long seed, Canary canary, boolean isNewFailure) {
    if (which == Which.ALL || (which == Which.FAILURES && isNewFailure)) {
      record(seed, canary);
    }
  }

  private synchronized void record(long seed, Canary canary) {
    if (made.size() == MOST) {
      return;
    }
    Path one = folder.resolve("seed-" + seed);
    try {
      SimRecorder.record(seed, canary, one, SimRecorder.MAX_RECORDS);
      made.add(one);
    } catch (IOException failed) {
      System.err.println("seed " + seed + " is not recorded: " + failed);
    }
  }

  /** The command for each recording that runs it again. */
  synchronized List<String> commands() {
    return made.stream().map(one -> "./upcall trace replay " + one).toList();
  }
}
