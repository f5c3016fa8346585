package dev.upcall.cli;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import picocli.CommandLine.Command;

/** {@code upcall mv}. */
@Command(name = "mv", description = "Rename a file, link or whole directory, at once.")
final class MoveCommand extends TwoPathsCommand {
  MoveCommand(Shell shell) {
    super(shell, "move");
  }

  @Override
  FileInfo make(Upcall store, String source, String target) {
    return store.rename(source, target, existenceOfTarget());
  }
}
