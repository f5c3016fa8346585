package dev.upcall.cli;

import dev.upcall.Upcall;
import dev.upcall.UpcallReads;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.transfer.DirectoryExport;
import dev.upcall.cli.transfer.ExportOptions;
import dev.upcall.cli.transfer.TransferMeter;
import dev.upcall.cli.transfer.TransferSummary;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall export}. */
@Command(
    name = "export",
    description = "Write a tree of the store into a directory: content, links, times and modes.")
final class ExportCommand extends ReadingCommand {
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

  ExportCommand(Shell shell) {
    super(shell);
  }

  @Override
  StoreCommands.Sharing share(Upcall store, Path volume) {
    return StoreCommands.share(store, volume, shell);
  }

  @Override
  int read(UpcallReads store) throws IOException {
    String from = StorePaths.parse(path).toString();
    Path directory = shell.resolve(target);
    if (!overwrite && DirectoryExport.isOccupied(directory)) {
      throw CommandFailure.failed(
          directory + " is not empty; name another directory, or use --overwrite");
    }
    shell.stop().listen();
    ExportOptions options =
        new ExportOptions(from, directory, overwrite, ExportOptions.DEFAULT_WRITERS);
    TransferMeter meter = new TransferMeter();
    long startNanos = System.nanoTime();
    TransferSummary summary;
    try (ProgressLine _ = new ProgressLine(shell, "export", meter)) {
      summary = new DirectoryExport(store, options, meter, shell.stop()::isAsked).run();
    }
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    TransferReport.say(shell, "export", summary, seconds);
    if (output.json) {
      Json.object(
          shell.out(),
          opening(),
          json -> {
            json.writeStringField("path", from);
            json.writeStringField("target", directory.toString());
            TransferReport.write(json, summary, seconds);
          });
    }
    return TransferReport.exitCode(summary);
  }
}
