package dev.upcall.cli.files;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Json;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.Operands;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall mkdir}. */
@Command(name = "mkdir", description = "Make directories in the store.")
public final class MakeDirectoryCommand extends ChangingCommand {
  @Parameters(arity = "1..*", paramLabel = "/path", description = "The directories.")
  List<String> paths = new ArrayList<>();

  @Option(
      names = {"-p", "--parents"},
      description = "Also missing parents; an existing directory is fine.")
  boolean parents;

  public MakeDirectoryCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    Operands operands = Operands.ofPaths(paths, shell::say, shell.stop()::isAsked);
    List<JsonDocument.Fields> all = new ArrayList<>();
    operands.each(
        path -> {
          FileInfo made = parents ? store.createDirectories(path) : store.createDirectory(path);
          all.add(json -> Json.info(json, path, made, null));
        });
    if (output.json) {
      JsonDocument.write(shell.out(), json -> operands.write(json, "entries", all));
    }
    return operands.exitCode(ExitCode.OK);
  }
}
