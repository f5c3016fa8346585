package dev.upcall.cli;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.StorePaths;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall mkdir}. */
@Command(name = "mkdir", description = "Make a directory in the store.")
final class MakeDirectoryCommand extends ChangingCommand {
  @Parameters(index = "0", paramLabel = "/path", description = "The directory.")
  String path = "";

  @Option(
      names = {"-p", "--parents"},
      description = "Also missing parents; an existing directory is fine.")
  boolean parents;

  MakeDirectoryCommand(Shell shell) {
    super(shell);
  }

  @Override
  int run(Upcall store) throws IOException {
    String at = StorePaths.parse(path).toString();
    FileInfo made = parents ? store.createDirectories(at) : store.createDirectory(at);
    if (output.json) {
      JsonDocument.write(shell.out(), json -> Json.info(json, at, made, null));
    }
    return ExitCode.OK;
  }
}
