package dev.upcall.cli.volume;

import dev.upcall.Upcall;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.HelpOption;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreCommand;
import dev.upcall.store.NamedSnapshot;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code upcall snapshot}. */
@Command(
    name = "snapshot",
    description = {
      "Make, list and drop snapshots: all files as they were at one moment, kept until they are"
          + " dropped.",
      "ls, cat, stat, export and serve read in one with --snapshot NAME, HTTP with ?snapshot=NAME.",
    })
public final class SnapshotCommand implements Callable<Integer> {
  @Mixin HelpOption help = new HelpOption();
  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: create NAME, list or drop NAME");
  }

  /** {@code upcall snapshot create}. */
  @Command(name = "create", description = "Make a snapshot; durable when the command is over.")
  public static final class Create extends StoreCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Its name, as that of a file.")
    String name = "";

    public Create(Shell shell) {
      super(shell);
    }

    @Override
    protected int run(Upcall store) throws IOException {
      NamedSnapshot made = store.fsm().createSnapshot(name);
      if (output.json) {
        JsonDocument.write(shell.out(), json -> SnapshotListCommand.write(json, made));
      }
      return ExitCode.OK;
    }
  }

  /** {@code upcall snapshot drop}. */
  @Command(name = "drop", description = "Drop a snapshot; what only it held comes back.")
  public static final class Drop extends StoreCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Its name.")
    String name = "";

    public Drop(Shell shell) {
      super(shell);
    }

    @Override
    protected int run(Upcall store) throws IOException {
      store.fsm().dropSnapshot(name);
      if (output.json) {
        JsonDocument.write(shell.out(), json -> json.writeStringField("dropped", name));
      }
      return ExitCode.OK;
    }
  }
}
