package dev.upcall.cli.files;

import dev.upcall.Upcall;
import dev.upcall.UpcallReads;
import dev.upcall.cli.posix.Around;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.ChangingCommand;
import dev.upcall.cli.store.ReadingCommand;
import dev.upcall.cli.store.StoreCommand;
import java.io.IOException;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Commands that know no more than an open store: their options beside those of opening it. */
public final class PosixCommands {
  private PosixCommands() {}

  /** One that reads. */
  public static CommandLine reading(Shell shell, Around.Reading work) {
    return with(new Reader(shell, work), work);
  }

  /** One that looks at the store itself. */
  public static CommandLine looking(Shell shell, Around.Working work) {
    return with(new Looker(shell, work), work);
  }

  /** One that changes files. */
  public static CommandLine changing(Shell shell, Around.Working work) {
    return with(new Changer(shell, work), work);
  }

  private static CommandLine with(StoreCommand command, Object work) {
    CommandSpec spec = CommandSpec.forAnnotatedObject(command);
    CommandSpec options = CommandSpec.forAnnotatedObject(work);
    // A flag that the command has in every shell (df -h) is not the short form of --help here.
    if (options.optionsMap().containsKey("-h")) {
      spec.remove(spec.findOption("--help"));
      spec.addOption(
          CommandLine.Model.OptionSpec.builder("--help")
              .usageHelp(true)
              .type(boolean.class)
              .description("Show this help.")
              .build());
    }
    spec.name(options.name()).addMixin("work", options);
    return new CommandLine(spec);
  }

  private static Around around(StoreCommand command) throws IOException {
    Shell shell = command.shell;
    return new Around(
        shell.out(),
        shell::say,
        shell.stop()::isAsked,
        command.access.find(shell).toAbsolutePath().normalize(),
        command.opening(),
        command.output.json);
  }

  private static final class Reader extends ReadingCommand {
    private final Around.Reading work;

    Reader(Shell shell, Around.Reading work) {
      super(shell);
      this.work = work;
    }

    @Override
    protected int read(UpcallReads store) throws IOException {
      shell.stop().listen();
      return work.run(store, around(this));
    }
  }

  private static final class Looker extends StoreCommand.Looking {
    private final Around.Working work;

    Looker(Shell shell, Around.Working work) {
      super(shell);
      this.work = work;
    }

    @Override
    protected int run(Upcall store) throws IOException {
      return work.run(store, around(this));
    }
  }

  private static final class Changer extends ChangingCommand {
    private final Around.Working work;

    Changer(Shell shell, Around.Working work) {
      super(shell);
      this.work = work;
    }

    @Override
    protected int run(Upcall store) throws IOException {
      shell.stop().listen();
      return work.run(store, around(this));
    }
  }
}
