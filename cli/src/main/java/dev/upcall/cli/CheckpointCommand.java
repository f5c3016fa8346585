package dev.upcall.cli;

import dev.upcall.Upcall;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code upcall checkpoint}. */
@Command(
    name = "checkpoint",
    description = "Write a checkpoint, so that the next opening has nothing to recover.")
final class CheckpointCommand extends StoreCommand {
  CheckpointCommand(Shell shell) {
    super(shell);
  }

  @Override
  int run(Upcall store) throws IOException {
    store.checkpoint();
    if (output.json) {
      long scn = store.info().durableScn();
      JsonDocument.write(shell.out(), json -> json.writeNumberField("durableScn", scn));
    }
    return ExitCode.OK;
  }
}
