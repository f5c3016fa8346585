package dev.upcall.cli.files;

import dev.upcall.FileInfo;
import dev.upcall.FileManagerInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.Operands;
import dev.upcall.cli.shell.ProgressLine;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import dev.upcall.completion.Failure;
import dev.upcall.trees.TreeProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code upcall rm}. */
@Command(
    name = "rm",
    description = {
      "Remove files, symbolic links (not their targets) and empty directories.",
      "With -r it ends when what was removed is taken apart; interrupted before, the store goes on",
      "when it is open next."
    })
public final class RemoveCommand extends ChangingCommand {
  private static final long LOOK_MILLIS = 20;

  @Parameters(arity = "1..*", paramLabel = "/path", description = "What to remove.")
  List<String> paths = new ArrayList<>();

  @Option(
      names = {"-r", "--recursive"},
      description = "Also directories with all below them: all of it is gone at once.")
  boolean recursive;

  @Option(
      names = {"-f", "--force"},
      description = "What is not there is fine.")
  boolean force;

  public RemoveCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    Operands operands = Operands.ofPaths(paths, shell::say, shell.stop()::isAsked);
    List<String> removed = new ArrayList<>();
    operands.each(
        path -> {
          try {
            remove(store, path);
            removed.add(path);
          } catch (UpcallException.NotFound absent) {
            if (!force) {
              throw absent;
            }
          }
        });
    int code = operands.exitCode(recursive ? takeApart(store) : ExitCode.OK);
    if (output.json) {
      JsonDocument.write(
          shell.out(),
          json -> {
            json.writeArrayFieldStart("removed");
            for (String path : removed) {
              json.writeString(path);
            }
            json.writeEndArray();
            operands.write(json);
          });
    }
    return code;
  }

  /** Waits for the background that gives back what removed trees held. */
  private int takeApart(Upcall store) {
    shell.stop().listen();
    TreeProgress meter = new TreeProgress();
    long before = store.fileManagerInfo().reclaimedEntries();
    try (ProgressLine _ = new ProgressLine(shell, "rm", meter)) {
      for (FileManagerInfo now = store.fileManagerInfo();
          now.reclaiming();
          now = store.fileManagerInfo()) {
        meter.entries(now.reclaimedEntries() - before);
        before = now.reclaimedEntries();
        if (shell.stop().await(LOOK_MILLIS)) {
          shell.say("removed; its space comes back when the store is open next");
          return ExitCode.PARTLY;
        }
      }
    }
    String failure = store.fileManagerInfo().reclaimFailure();
    if (!failure.isEmpty()) {
      throw CommandFailure.failed("removed, but its space could not be given back: " + failure);
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
