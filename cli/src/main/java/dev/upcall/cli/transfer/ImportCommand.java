package dev.upcall.cli.transfer;

import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.cli.host.StoreFiles;
import dev.upcall.cli.option.ContentOptions;
import dev.upcall.cli.option.EngineOption;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.option.TuningOptions;
import dev.upcall.cli.option.VolumeSizeOption;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreAccess;
import dev.upcall.cli.store.StoreSharing;
import dev.upcall.trees.ImportOptions.Gone;
import dev.upcall.trees.TreeSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall import}. */
@Command(
    name = "import",
    description = {
      "Import a directory into a store, which is made when there is none: DIR's name with "
          + StoreAccess.SUFFIX
          + ", here, unless --store or the variable "
          + StoreAccess.VARIABLE
          + " names another.",
      "What is there with the same size and time is left alone, so running it again goes on where"
          + " an earlier run ended, or brings the store up to date. Symbolic links are kept as"
          + " links.",
    })
public final class ImportCommand implements Callable<Integer> {
  @Mixin OutputOptions output = new OutputOptions();
  @Mixin StoreAccess access = new StoreAccess();
  @Mixin TuningOptions tuning = new TuningOptions();
  @Mixin EngineOption engine = new EngineOption();
  @Mixin ContentOptions content = new ContentOptions();
  @Mixin VolumeSizeOption volumeSize = new VolumeSizeOption();

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory.")
  Path source = Path.of("");

  @Option(
      names = "--into",
      paramLabel = "/path",
      description = "Where its entries go, made when missing. Default: /")
  String into = "/";

  @Option(
      names = "--remove-gone",
      description = "Remove from the store what was imported from DIR and is gone from it.")
  boolean removeGone;

  @Option(
      names = ImportJob.EMPTY,
      description = "With --remove-gone: take an empty DIR as it is, and remove all of it.")
  boolean allowEmpty;

  private final Shell shell;

  private final StoreSharing.Commands commands;

  /**
   * The command.
   *
   * @param commands runs those that others ask for meanwhile
   */
  public ImportCommand(Shell shell, StoreSharing.Commands commands) {
    this.shell = shell;
    this.commands = commands;
  }

  @Override
  public Integer call() throws IOException {
    Path directory = shell.resolve(source);
    ImportJob.checkSource(directory);
    StorePath target = StorePaths.parse(into);
    Path volume = access.findFor(directory, shell);
    Shell given = shell.naming(directory);
    shell.stop().listen();
    return StoreAccess.with(
        volume,
        () -> Upcall.openOrCreate(volume, config()),
        given,
        store -> {
          StoreFiles files = StoreAccess.files(volume, shell);
          try (StoreSharing.Sharing _ = StoreSharing.share(store, files, shell, commands)) {
            return run(store, volume, directory, target);
          }
        });
  }

  private UpcallConfig config() {
    return volumeSize.in(content.in(engine.in(tuning.config(shell::resolve))));
  }

  private int run(Upcall store, Path volume, Path directory, StorePath target) throws IOException {
    shell.say("importing " + directory + " into the store " + volume);
    ImportJob job = new ImportJob(shell);
    StoreFiles files = StoreAccess.files(volume, shell);
    if (removeGone && !allowEmpty) {
      ImportJob.checkNotEmptied(store, files, directory, target);
    }
    TreeSummary summary =
        job.run(store, files, directory, target, removeGone ? Gone.REMOVE : Gone.KEEP);
    if (output.json) {
      JsonDocument.write(
          shell.out(),
          json -> {
            json.writeStringField("source", directory.toString());
            json.writeStringField("store", volume.toString());
            json.writeStringField("into", target.toString());
            TransferReport.write(json, summary, job.seconds());
          });
    }
    return TransferReport.exitCode(summary);
  }
}
