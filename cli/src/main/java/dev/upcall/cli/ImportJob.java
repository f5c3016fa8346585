package dev.upcall.cli;

import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.transfer.DirectoryImport;
import dev.upcall.cli.transfer.ImportOptions;
import dev.upcall.cli.transfer.TransferMeter;
import dev.upcall.cli.transfer.TransferSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An import with its progress and its report, for {@code import} and {@code serve}. */
final class ImportJob {
  private final Shell shell;
  private final long startNanos = System.nanoTime();
  private @Nullable TransferSummary summary;

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
  TransferSummary run(Upcall store, Path volume, Path source, StorePath into, boolean removeGone)
      throws IOException {
    ImportOptions options =
        new ImportOptions(
            source, into, removeGone, StoreAccess.filesOf(volume), ImportOptions.DEFAULT_READERS);
    TransferMeter meter = new TransferMeter();
    DirectoryImport work = new DirectoryImport(store, options, meter, shell.stop()::isAsked);
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
