package dev.upcall.cli;

import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.transfer.HostErrors;
import dev.upcall.fileman.UpcallException;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The {@code upcall} command. */
public final class Main {
  private static final String LOG_FORMAT = "java.util.logging.SimpleFormatter.format";

  private Main() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    if (System.getProperty(LOG_FORMAT) == null) {
      System.setProperty(LOG_FORMAT, "upcall: %4$s: %5$s%n");
    }
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    Shell shell = Shell.system();
    try {
      Arguments.check(List.of(args));
    } catch (CommandFailure | IOException wrong) {
      System.exit(failed(shell, wrong, List.of(args)));
    }
    System.exit(run(shell, args));
  }

  /** All commands. */
  static CommandLine commands(Shell shell) {
    return new CommandLine(new RootCommand(shell))
        .addSubcommand(new ServeCommand(shell))
        .addSubcommand(new ImportCommand(shell))
        .addSubcommand(new ExportCommand(shell))
        .addSubcommand(new ListCommand(shell))
        .addSubcommand(new CatCommand(shell))
        .addSubcommand(new PutCommand(shell))
        .addSubcommand(new MakeDirectoryCommand(shell))
        .addSubcommand(new RemoveCommand(shell))
        .addSubcommand(new MoveCommand(shell))
        .addSubcommand(new CloneCommand(shell))
        .addSubcommand(new StatCommand(shell))
        .addSubcommand(
            new CommandLine(new SnapshotCommand())
                .addSubcommand(new SnapshotCreateCommand(shell))
                .addSubcommand(new SnapshotListCommand(shell))
                .addSubcommand(new SnapshotDropCommand(shell)))
        .addSubcommand(new VerifyCommand(shell))
        .addSubcommand(new ConfigCommand(shell));
  }

  /** Runs a command inside this process; returns its exit code. */
  static int run(Shell shell, String... args) {
    CommandLine commands = commands(shell);
    commands.setOut(new PrintWriter(shell.out(), true, StandardCharsets.UTF_8));
    commands.setErr(new PrintWriter(shell.err(), true, StandardCharsets.UTF_8));
    commands.setUsageHelpAutoWidth(true);
    // A name may begin with @.
    commands.setExpandAtFiles(false);
    commands.setParameterExceptionHandler(
        (wrong, given) -> wrongUsage(shell, wrong, Arrays.asList(given)));
    commands.setExecutionExceptionHandler(
        (error, command, parsed) -> failed(shell, error, Arrays.asList(args)));
    try {
      return commands.execute(args);
    } finally {
      shell.out().flush();
      shell.stop().finished();
    }
  }

  private static int wrongUsage(Shell shell, ParameterException wrong, List<String> args) {
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    String message = String.valueOf(wrong.getMessage());
    shell.say(message + " (see: " + command + " --help)");
    CommandLine.UnmatchedArgumentException.printSuggestions(
        wrong, new PrintWriter(shell.err(), true, StandardCharsets.UTF_8));
    reportAsJson(shell, args, "usage", message);
    return ExitCode.USAGE;
  }

  private static int failed(Shell shell, Exception error, List<String> args) {
    String message;
    String kind = "failed";
    int code = ExitCode.FAILED;
    switch (error) {
      case CommandFailure failure -> {
        message = String.valueOf(failure.getMessage());
        code = failure.exitCode();
      }
      case UpcallException failure -> {
        message = failure.failure().message();
        kind = failure.failure().getClass().getSimpleName();
      }
      case UncheckedIOException host -> message = HostErrors.messageWithPath(host);
      case IOException host -> message = HostErrors.messageWithPath(host);
      default -> message = "internal error (run with --debug to see where): " + error;
    }
    shell.say(Printable.of(message));
    if (args.contains("--debug")) {
      error.printStackTrace(shell.err());
    }
    reportAsJson(shell, args, kind, message);
    return code;
  }

  private static void reportAsJson(Shell shell, List<String> args, String kind, String message) {
    if (args.contains("--json")) {
      try {
        Json.object(
            shell.out(),
            json -> {
              json.writeStringField("error", message);
              json.writeStringField("kind", kind);
            });
      } catch (IOException unwritable) {
        shell.say("cannot write to standard output: " + HostErrors.message(unwritable));
      }
    }
  }
}
