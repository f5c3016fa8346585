package dev.upcall.cli.store;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.base.Invariants;
import dev.upcall.cli.option.LookOption;
import dev.upcall.cli.option.OutputOptions;
import dev.upcall.cli.option.TuningOptions;
import dev.upcall.cli.shell.Shell;
import dev.upcall.store.OpeningReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command that opens a store that exists, does one thing with it and closes it. */
public abstract class StoreCommand implements Callable<Integer> {
  @Mixin public OutputOptions output = new OutputOptions();
  @Mixin public StoreAccess access = new StoreAccess();
  @Mixin TuningOptions tuning = new TuningOptions();
  public final Shell shell;
  private @Nullable OpeningReport opening;

  public StoreCommand(Shell shell) {
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
          try (StoreSharing.Sharing _ = share(store, volume)) {
            return run(store);
          }
        });
  }

  /** With what the command line names of the host, before the store is opened. */
  protected Shell given() throws IOException {
    return shell;
  }

  /**
   * Lets other commands work on the store while this one has it; not, unless a command may take so
   * long that others would wait for it.
   */
  protected StoreSharing.Sharing share(Upcall store, Path volume) {
    return StoreSharing.Sharing.NONE;
  }

  /** What was found when the store was opened. */
  public final OpeningReport opening() {
    return Invariants.present(opening, "an open store");
  }

  /** How to open the store. */
  protected UpcallConfig config() {
    return tuning.config(shell::resolve);
  }

  /** Opens it. */
  protected Upcall open(Path volume) {
    return StoreAccess.open(volume, config(), shell);
  }

  /** Does it; returns the exit code. */
  protected abstract int run(Upcall store) throws IOException;

  /** One that changes nothing, and so writes nothing. */
  public abstract static class Looking extends StoreCommand {
    @Mixin LookOption look = new LookOption();

    protected Looking(Shell shell) {
      super(shell);
    }

    @Override
    protected final Upcall open(Path volume) {
      return StoreAccess.look(volume, config(), look, shell);
    }
  }
}
