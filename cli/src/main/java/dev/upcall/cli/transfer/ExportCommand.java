package dev.upcall.cli.transfer;

import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallReads;
import dev.upcall.cli.host.StoreFiles;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.ProgressLine;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ReadingCommand;
import dev.upcall.cli.store.StoreAccess;
import dev.upcall.cli.store.StoreSharing;
import dev.upcall.trees.ExportOptions;
import dev.upcall.trees.Present;
import dev.upcall.trees.TreeProgress;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.TreeWatch;
import dev.upcall.trees.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall export}. */
@Command(
    name = "export",
    description = "Write a tree of the store into a directory: content, links, times and modes.")
public final class ExportCommand extends ReadingCommand {
  @Parameters(
      index = "0",
      paramLabel = "/path",
      description = "A directory of the store (its entries are written), or one file or link.")
  String path = "";

  @Parameters(index = "1", paramLabel = "DIR", description = "Where to; made when missing.")
  Path target = Path.of("");

  @Option(
      names = "--overwrite",
      description = "Write into a directory that holds something; files there are replaced.")
  boolean overwrite;

  private final StoreSharing.Commands commands;

  /**
   * The command.
   *
   * @param commands runs those that others ask for meanwhile
   */
  public ExportCommand(Shell shell, StoreSharing.Commands commands) {
    super(shell);
    this.commands = commands;
  }

  @Override
  protected StoreSharing.Sharing share(Upcall store, Path volume) {
    return StoreSharing.share(store, StoreFiles.of(volume), shell, commands);
  }

  @Override
  protected Shell given() throws IOException {
    return shell.naming(shell.resolve(target));
  }

  @Override
  protected int read(UpcallReads store) throws IOException {
    StorePath from = StorePaths.parse(path);
    Path directory = shell.resolve(target);
    if (!overwrite && isOccupied(directory)) {
      throw CommandFailure.failed(
          directory + " is not empty; name another directory, or use --overwrite");
    }
    shell.stop().listen();
    ExportOptions options =
        ExportOptions.of(from, directory)
            .withPresent(overwrite ? Present.REPLACE : Present.KEEP)
            .withExcluded(StoreAccess.files(access.find(shell), shell).all());
    TreeProgress meter = new TreeProgress();
    long startNanos = System.nanoTime();
    TreeSummary summary;
    try (ProgressLine _ = new ProgressLine(shell, "export", meter)) {
      TreeWatch watch = TreeWatch.none().withProgress(meter).withCancelled(shell.stop()::isAsked);
      summary = Trees.exporting(store, options, watch).run();
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    TransferReport.say(shell, "export", summary, seconds);
    if (output.json) {
      Json.object(
          shell.out(),
          opening(),
          json -> {
            json.writeStringField("path", from.toString());
            json.writeStringField("target", directory.toString());
            TransferReport.write(json, summary, seconds);
          });
    }
    return TransferReport.exitCode(summary);
  }

  /** Whether a target holds something already. */
  private static boolean isOccupied(Path target) throws IOException {
    if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (var entries = Files.newDirectoryStream(target)) {
      return entries.iterator().hasNext();
    }
  }
}
