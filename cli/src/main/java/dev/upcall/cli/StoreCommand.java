package dev.upcall.cli;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.base.Invariants;
import dev.upcall.cli.option.LookOption;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.option.TuningOptions;
import dev.upcall.store.OpeningReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command that opens a store that exists, does one thing with it and closes it. */
abstract class StoreCommand implements Callable<Integer> {
  @Mixin OutputOptions output = new OutputOptions();
  @Mixin StoreAccess access = new StoreAccess();
  @Mixin TuningOptions tuning = new TuningOptions();
  final Shell shell;
  private @Nullable OpeningReport opening;

  StoreCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public final Integer call() throws IOException {
    Path volume = access.find(shell);
    Shell given = given();
    return StoreAccess.with(
        volume,
        () -> open(volume),
        given,
        store -> {
          opening = store.info().opening();
          try (StoreCommands.Sharing _ = share(store, volume)) {
            return run(store);
          }
        });
  }

  /** With what the command line names of the host, before the store is opened. */
  Shell given() throws IOException {
    return shell;
  }

  /**
   * Lets other commands work on the store while this one has it; not, unless a command may take so
   * long that others would wait for it.
   */
  StoreCommands.Sharing share(Upcall store, Path volume) {
    return StoreCommands.Sharing.NONE;
  }

  /** What was found when the store was opened. */
  final OpeningReport opening() {
    return Invariants.present(opening, "an open store");
  }

  /** How to open the store. */
  UpcallConfig config() {
    return tuning.config();
  }

  /** Opens it. */
  Upcall open(Path volume) {
    return StoreAccess.open(volume, config(), shell);
  }

  /** Does it; returns the exit code. */
  abstract int run(Upcall store) throws IOException;

  /** One that changes nothing, and so writes nothing. */
  abstract static class Looking extends StoreCommand {
    @Mixin LookOption look = new LookOption();

    Looking(Shell shell) {
      super(shell);
    }

    @Override
    final Upcall open(Path volume) {
      return StoreAccess.look(volume, config(), look, shell);
    }
  }
}
