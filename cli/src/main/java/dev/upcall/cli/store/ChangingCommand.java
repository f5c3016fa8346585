package dev.upcall.cli.store;

import dev.upcall.UpcallConfig;
import dev.upcall.cli.option.EngineOption;
import dev.upcall.cli.option.VolumeSizeOption;
import dev.upcall.cli.shell.Shell;
import picocli.CommandLine.Mixin;

/** A command that changes files of a store that exists. */
public abstract class ChangingCommand extends StoreCommand {
  @Mixin EngineOption engine = new EngineOption();
  @Mixin VolumeSizeOption volumeSize = new VolumeSizeOption();

  public ChangingCommand(Shell shell) {
    super(shell);
  }

  @Override
  protected final UpcallConfig config() {
    return volumeSize.in(engine.in(super.config()));
  }
}
