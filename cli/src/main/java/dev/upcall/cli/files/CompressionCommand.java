package dev.upcall.cli.files;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.Upcall;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ContentOptions;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.StorePaths;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import dev.upcall.config.Compression;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall compression}. */
@Command(
    name = "compression",
    description = {
      "Choose whether a file is compressed when it is put, or a file that will be made in a"
          + " directory; without a choice show it. Stored content stays as it is."
    })
public final class CompressionCommand extends ChangingCommand {
  @Parameters(index = "0", paramLabel = "/path", description = "The file or directory.")
  String path = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "none|fast|balanced",
      description = "The choice.")
  @Nullable String choice;

  @Option(
      names = {"-R", "--recursive"},
      description = "Also of the files and directories below, one by one.")
  boolean recursive;

  public CompressionCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    String at = StorePaths.parse(path).toString();
    FileInfo info;
    long below = 0;
    if (choice == null) {
      if (recursive) {
        throw CommandFailure.usage("--recursive needs a choice");
      }
      info = store.stat(at);
    } else {
      MetadataChange change = MetadataChange.NONE.withCompression(ContentOptions.degree(choice));
      info = store.setMetadata(at, LinkPolicy.FOLLOW, change);
      below = recursive && info.isDirectory() ? ChoiceBelow.set(store, at, change) : 0;
    }
    if (output.json) {
      JsonDocument.write(shell.out(), json -> Json.info(json, at, info, null));
    } else {
      String said = info.compression().map(Compression::text).orElse("not chosen");
      shell.say(at + ": " + said + (below == 0 ? "" : ", and " + below + " below"));
    }
    return ExitCode.OK;
  }
}
