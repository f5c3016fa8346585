package dev.upcall.cli.files;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Upcall;
import dev.upcall.cli.option.ContentOptions;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import dev.upcall.config.Dedup;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall dedup}. */
@Command(
    name = "dedup",
    description = {
      "Choose whether a file shares the blocks of another one with the same content when it is put,"
          + " or a file that will be made in a directory. Stored content stays as it is."
    })
public final class DedupCommand extends ChangingCommand {
  @Parameters(index = "0", paramLabel = "/path", description = "The file or directory.")
  String path = "";

  @Parameters(index = "1", paramLabel = "none|file", description = "The choice.")
  String choice = "";

  @Option(
      names = {"-R", "--recursive"},
      description = "Also of the files and directories below, one by one.")
  boolean recursive;

  public DedupCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    String at = StorePaths.parse(path).toString();
    Dedup option = ContentOptions.sharing(choice);
    MetadataChange change = MetadataChange.NONE.withDedup(option);
    FileInfo changed = store.setMetadata(at, LinkPolicy.FOLLOW, change);
    long below = recursive && changed.isDirectory() ? ChoiceBelow.set(store, at, change) : 0;
    if (output.json) {
      JsonDocument.write(shell.out(), json -> Json.info(json, at, changed, null));
    } else {
      shell.say(at + ": " + option.text() + (below == 0 ? "" : ", and " + below + " below"));
    }
    return ExitCode.OK;
  }
}
