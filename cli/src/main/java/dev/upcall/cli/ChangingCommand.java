package dev.upcall.cli;

import dev.upcall.UpcallConfig;
import dev.upcall.cli.option.EngineOption;
import dev.upcall.cli.option.VolumeSizeOption;
import picocli.CommandLine.Mixin;

/** A command that changes files of a store that exists. */
abstract class ChangingCommand extends StoreCommand {
  @Mixin EngineOption engine = new EngineOption();
  @Mixin VolumeSizeOption volumeSize = new VolumeSizeOption();

  ChangingCommand(Shell shell) {
    super(shell);
  }

  @Override
  final UpcallConfig config() {
    return volumeSize.in(engine.in(super.config()));
  }
}
