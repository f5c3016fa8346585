package dev.upcall.cli.transfer;

import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.host.StoreFiles;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.shell.ProgressLine;
import dev.upcall.cli.shell.Shell;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.ImportOptions.Gone;
import dev.upcall.trees.TreeProgress;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.TreeTask;
import dev.upcall.trees.TreeWatch;
import dev.upcall.trees.Trees;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An import with its progress and its report, for {@code import} and {@code serve}. */
public final class ImportJob {
  /** The option that says that an empty directory is meant. */
  public static final String EMPTY = "--allow-empty";

  private final Shell shell;
  private final long startNanos = System.nanoTime();
  private @Nullable TreeSummary summary;

  public ImportJob(Shell shell) {
    this.shell = shell;
  }

  /** Refuses what is no directory before anything else happens. */
  public static void checkSource(Path source) {
    if (!Files.isDirectory(source)) {
      throw CommandFailure.failed(
          source + (Files.exists(source) ? " is not a directory" : " does not exist"));
    }
  }

  /**
   * Refuses an empty directory of which everything that it once had would be removed: mostly one
   * that is not mounted.
   */
  public static void checkNotEmptied(Upcall store, StoreFiles files, Path source, StorePath into)
      throws IOException {
    if (!store.exists(into) || store.list(into, 1).entries().isEmpty()) {
      return;
    }
    List<Path> own = files.all();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(source)) {
      for (Path entry : entries) {
        if (!isAmong(own, entry)) {
          return;
        }
      }
    }
    throw CommandFailure.failed(
        "%s is empty, and all that the store has of it would be removed; if that is meant, use %s"
            .formatted(source, EMPTY));
  }

  private static boolean isAmong(List<Path> own, Path entry) throws IOException {
    for (Path file : own) {
      if (Files.exists(file) && Files.exists(entry) && Files.isSameFile(file, entry)) {
        return true;
      }
    }
    return false;
  }

  /** Runs it to its end. */
  public TreeSummary run(Upcall store, StoreFiles files, Path source, StorePath into, Gone gone)
      throws IOException {
    ImportOptions options =
        new ImportOptions(source, into, gone, files.all(), ImportOptions.DEFAULT_READERS);
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
