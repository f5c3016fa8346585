package dev.upcall.cli.store;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import dev.upcall.cli.option.EngineOption;
import dev.upcall.cli.option.SnapshotOption;
import dev.upcall.cli.shell.Shell;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A command that reads in a store as it is now, or in a snapshot of it. */
public abstract class ReadingCommand extends StoreCommand.Looking {
  @Mixin SnapshotOption moment = new SnapshotOption();
  @Mixin EngineOption engine = new EngineOption();

  public ReadingCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected final UpcallConfig config() {
    return engine.in(super.config());
  }

  @Override
  protected final int run(Upcall store) throws IOException {
    if (moment.name == null) {
      return read(store);
    }
    try (UpcallSnapshot snapshot = store.fsm().snapshot(moment.name)) {
      return read(snapshot);
    }
  }

  /** Does it; returns the exit code. */
  protected abstract int read(UpcallReads store) throws IOException;
}
