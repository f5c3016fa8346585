package dev.upcall.cli;

import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.LinkPolicy;
import dev.upcall.fileman.StorePath;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallException;
import dev.upcall.fsm.Failure;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall mv}. */
@Command(name = "mv", description = "Rename a file, link or whole directory, at once.")
final class MoveCommand extends StoreCommand {
  @Parameters(index = "0", paramLabel = "/from", description = "What to rename.")
  String from = "";

  @Parameters(
      index = "1",
      paramLabel = "/to",
      description = "Its new path; with a / at the end: the directory it goes into.")
  String to = "";

  @Option(
      names = "--replace",
      description = "What is there gives way: a file to a file, an empty directory to a directory.")
  boolean replace;

  MoveCommand(Shell shell) {
    super(shell);
  }

  @Override
  int run(Upcall store) throws IOException {
    StorePath source = StorePaths.parse(from);
    StorePath target = StorePaths.parse(to);
    if (to.endsWith("/")) {
      target = StorePaths.parse((target.isRoot() ? "" : target) + "/" + source.lastName());
    }
    String at = target.toString();
    FileInfo moved;
    try {
      moved = store.rename(source.toString(), at, replace);
    } catch (UpcallException failed) {
      if (failed.failure() instanceof Failure.AlreadyExists) {
        boolean directory = store.stat(at, LinkPolicy.NO_FOLLOW).isDirectory();
        throw CommandFailure.failed(
            failed.failure().message()
                + (directory ? "; to move into it write " + at + "/" : "; use --replace"));
      }
      throw failed;
    }
    if (output.json) {
      Json.object(shell.out(), json -> Json.info(json, at, moved, null));
    }
    return ExitCode.OK;
  }
}
