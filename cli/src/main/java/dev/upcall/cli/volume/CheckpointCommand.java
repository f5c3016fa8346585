package dev.upcall.cli.volume;

import dev.upcall.Upcall;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreAccess;
import dev.upcall.cli.store.StoreCommand;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code upcall checkpoint}. */
@Command(
    name = "checkpoint",
    description = "Write a checkpoint, so that the next opening has nothing to recover.")
public final class CheckpointCommand extends StoreCommand {
  @Option(
      names = "--front-lost",
      description =
          "Something else was written over the first blocks of the store; they are to be the store's"
              + " again. Destroys what is there now: a file system, say.")
  boolean frontLost;

  public CheckpointCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected Upcall open(Path volume) {
    if (frontLost) {
      StoreAccess.existing(
          volume,
          () -> {
            Upcall.restoreFront(volume, config());
            return volume;
          });
    }
    return super.open(volume);
  }

  @Override
  protected int run(Upcall store) throws IOException {
    store.checkpoint();
    if (output.json) {
      long scn = store.info().durableScn();
      JsonDocument.write(shell.out(), json -> json.writeNumberField("durableScn", scn));
    }
    return ExitCode.OK;
  }
}
