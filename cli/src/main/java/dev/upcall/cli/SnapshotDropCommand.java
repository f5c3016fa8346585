package dev.upcall.cli;

import dev.upcall.Upcall;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code upcall snapshot drop}. */
@Command(name = "drop", description = "Drop a snapshot; what only it held comes back.")
final class SnapshotDropCommand extends StoreCommand {
  @Parameters(index = "0", paramLabel = "NAME", description = "Its name.")
  String name = "";

  SnapshotDropCommand(Shell shell) {
    super(shell);
  }

  @Override
  int run(Upcall store) throws IOException {
    store.fsm().dropSnapshot(name);
    if (output.json) {
      JsonDocument.write(shell.out(), json -> json.writeStringField("dropped", name));
    }
    return ExitCode.OK;
  }
}
