package dev.upcall.cli.table;

import dev.upcall.cli.option.HelpOption;
import dev.upcall.cli.shell.Shell;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code upcall table}. */
@Command(
    name = "table",
    description = {
      "Look at tables and change them: entries with a key and a value, in the order of the keys.",
      "ls, stat, mv and rm work on tables as on files.",
    })
public final class TableCommand implements Callable<Integer> {
  @Mixin HelpOption help = new HelpOption();
  @Spec CommandSpec spec = CommandSpec.create();

  private TableCommand() {}

  /** With the commands below it. */
  public static CommandLine of(Shell shell) {
    return new CommandLine(new TableCommand())
        .addSubcommand(new TableChanges.Create(shell))
        .addSubcommand(new TableLooks.Get(shell))
        .addSubcommand(new TableChanges.Put(shell))
        .addSubcommand(new TableChanges.Remove(shell))
        .addSubcommand(new TableLooks.Scan(shell))
        .addSubcommand(new LoadCommand(shell))
        .addSubcommand(new TableLooks.Dump(shell))
        .addSubcommand(new TableLooks.Stat(shell));
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(),
        "say what to do: create, get, put, remove, scan, load, dump or stat, and the /path");
  }
}
