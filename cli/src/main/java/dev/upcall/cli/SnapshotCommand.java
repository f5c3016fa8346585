package dev.upcall.cli;

import dev.upcall.cli.option.HelpOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code upcall snapshot}. */
@Command(
    name = "snapshot",
    description = {
      "Make, list and drop snapshots: all files as they were at one moment, kept until they are"
          + " dropped.",
      "ls, cat, stat, export and serve read in one with --snapshot NAME, HTTP with ?snapshot=NAME.",
    })
final class SnapshotCommand implements Callable<Integer> {
  @Mixin HelpOption help = new HelpOption();
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: create NAME, list or drop NAME");
  }
}
