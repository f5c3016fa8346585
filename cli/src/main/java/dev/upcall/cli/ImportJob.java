package dev.upcall.cli;

import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.ImportOptions.Gone;
import dev.upcall.trees.TreeProgress;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.TreeTask;
import dev.upcall.trees.TreeWatch;
import dev.upcall.trees.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An import with its progress and its report, for {@code import} and {@code serve}. */
final class ImportJob {
  private final Shell shell;
  private final long startNanos = System.nanoTime();
  private @Nullable TreeSummary summary;

  ImportJob(Shell shell) {
    this.shell = shell;
  }

  /** Refuses what is no directory before anything else happens. */
  static void checkSource(Path source) {
    if (!Files.isDirectory(source)) {
      throw CommandFailure.failed(
          source + (Files.exists(source) ? " is not a directory" : " does not exist"));
    }
  }

  /** Runs it to its end. */
  TreeSummary run(Upcall store, Path volume, Path source, StorePath into, Gone gone)
      throws IOException {
    ImportOptions options =
        new ImportOptions(
            source, into, gone, StoreAccess.filesOf(volume), ImportOptions.DEFAULT_READERS);
    TreeProgress meter = new TreeProgress();
    TreeWatch watch = TreeWatch.none().withProgress(meter).withCancelled(shell.stop()::isAsked);
    TreeTask work = Trees.importing(store, options, watch);
    try (ProgressLine _ = new ProgressLine(shell, "import", meter)) {
      summary = work.run();
    } catch (UpcallException ended) {
      TransferReport.say(shell, "import", work.soFar(), seconds());
      throw ended;
    }
    TransferReport.say(shell, "import", summary, seconds());
    return summary;
  }

  /** How long it took until now. */
  double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
