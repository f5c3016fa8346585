package dev.upcall.cli;

import dev.upcall.Upcall;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.store.NamedSnapshot;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code upcall snapshot create}. */
@Command(name = "create", description = "Make a snapshot; durable when the command is over.")
final class SnapshotCreateCommand extends StoreCommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "Its name, as that of a file.")
  String name = "";

  SnapshotCreateCommand(Shell shell) {
    super(shell);
  }

  @Override
  int run(Upcall store) throws IOException {
    NamedSnapshot made = store.fsm().createSnapshot(name);
    if (output.json) {
      JsonDocument.write(shell.out(), json -> SnapshotListCommand.write(json, made));
    }
    return ExitCode.OK;
  }
}
