package dev.upcall.cli.manual;

import dev.upcall.cli.option.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes the manual of all commands into a folder; for the build of an archive, and in no list. */
@Command(name = ManualCommand.NAME, hidden = true)
public final class ManualCommand implements Callable<Integer> {
  /** Its name. */
  public static final String NAME = "write-manual";

  @Parameters(index = "0", paramLabel = "DIR", description = "The folder; made when missing.")
  Path folder = Path.of("");

  private final Supplier<CommandLine> commands;

  /**
   * A command.
   *
   * @param commands makes all that are described
   */
  public ManualCommand(Supplier<CommandLine> commands) {
    this.commands = commands;
  }

  @Override
  public Integer call() throws IOException {
    CommandLine root = commands.get();
    Path pages = Files.createDirectories(folder.resolve("man/man1"));
    write(pages, root);
    Files.writeString(
        folder.resolve("upcall.bash"), AutoComplete.bash("upcall", root), StandardCharsets.UTF_8);
    return ExitCode.OK;
  }

  private static void write(Path pages, CommandLine command) throws IOException {
    ManualPage page = new ManualPage(command);
    Files.writeString(pages.resolve(page.fileName()), page.text(), StandardCharsets.UTF_8);
    for (CommandLine below : command.getSubcommands().values()) {
      write(pages, below);
    }
  }
}
