package dev.upcall.cli;

import dev.upcall.fileman.FileInfo;
import dev.upcall.fileman.LinkPolicy;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallException;
import dev.upcall.fsm.Failure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall rm}. */
@Command(
    name = "rm",
    description = "Remove files, symbolic links (not their targets) and empty directories.")
final class RemoveCommand extends StoreCommand {
  @Parameters(arity = "1..*", paramLabel = "/path", description = "What to remove.")
  List<String> paths = new ArrayList<>();

  @Option(
      names = {"-r", "--recursive"},
      description = "Also directories with all below them, at once.")
  boolean recursive;

  @Option(
      names = {"-f", "--force"},
      description = "What is not there is fine.")
  boolean force;

  RemoveCommand(Shell shell) {
    super(shell);
  }

  @Override
  int run(Upcall store) throws IOException {
    List<String> parsed = paths.stream().map(path -> StorePaths.parse(path).toString()).toList();
    List<String> removed = new ArrayList<>();
    for (String path : parsed) {
      try {
        remove(store, path);
        removed.add(path);
      } catch (UpcallException failed) {
        if (!(force && failed.failure() instanceof Failure.NotFound)) {
          throw failed;
        }
      }
    }
    if (output.json) {
      Json.object(
          shell.out(),
          json -> {
            json.writeArrayFieldStart("removed");
            for (String path : removed) {
              json.writeString(path);
            }
            json.writeEndArray();
          });
    }
    return ExitCode.OK;
  }

  private void remove(Upcall store, String path) {
    FileInfo info = store.stat(path, LinkPolicy.NO_FOLLOW);
    if (recursive && info.isDirectory()) {
      store.deleteTree(path);
      return;
    }
    try {
      store.delete(path);
    } catch (UpcallException failed) {
      if (failed.failure() instanceof Failure.DirectoryNotEmpty) {
        throw CommandFailure.failed(failed.failure().message() + "; use rm -r");
      }
      throw failed;
    }
  }
}
