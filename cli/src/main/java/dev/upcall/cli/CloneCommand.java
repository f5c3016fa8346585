package dev.upcall.cli;

import dev.upcall.FileInfo;
import dev.upcall.Upcall;
import picocli.CommandLine.Command;

/** {@code upcall clone}. */
@Command(
    name = "clone",
    description = "Copy a file at once, whatever its size: both share what neither has changed.")
final class CloneCommand extends TwoPathsCommand {
  CloneCommand(Shell shell) {
    super(shell, "copy");
  }

  @Override
  FileInfo make(Upcall store, String source, String target) {
    return store.cloneFile(source, target, existenceOfTarget());
  }
}
