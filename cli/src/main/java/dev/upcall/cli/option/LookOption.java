package dev.upcall.cli.option;

import dev.upcall.UpcallConfig;
import dev.upcall.store.OpeningReport;
import picocli.CommandLine.Option;

/**
 * How a command that changes nothing opens a store: so that nothing can be written. It shows the
 * newest state, also what a process that was killed has left in the log. An older state it shows
 * only when asked, since whoever reads that would miss acknowledged changes without a word.
 */
public final class LookOption {
  @Option(
      names = "--read-only",
      description =
          "Also show a store whose newest changes cannot be read any more, as it was before them."
              + " The store's file is never changed, and need not be writable, with or without this.")
  public boolean older;

  /** A configuration with it. */
  public UpcallConfig in(UpcallConfig config) {
    return config.withReadOnly(true);
  }

  /** Refuses an older state that was not asked for. */
  public void check(OpeningReport opening) {
    if (opening.age() == OpeningReport.Age.OLDER && !older) {
      throw CommandFailure.failed(
          "Corrupt",
          "newer changes of the store cannot be read any more: %s; --read-only shows it as of change %d"
              .formatted(String.join("; ", opening.findings()), opening.scn()));
    }
  }
}
