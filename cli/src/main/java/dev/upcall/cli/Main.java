package dev.upcall.cli;

import dev.upcall.UpcallException;
import dev.upcall.base.Printable;
import dev.upcall.cli.damage.DamagedFiles;
import dev.upcall.cli.host.OutputFailed;
import dev.upcall.cli.option.Arguments;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Instead;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.LogLine;
import dev.upcall.cli.shell.Shell;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The {@code upcall} command. */
public final class Main {
  private Main() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    useJdkLogging();
    Shell shell = Shell.system();
    try {
      Arguments.check(List.of(args));
    } catch (CommandFailure | IOException wrong) {
      System.exit(failed(shell, wrong, List.of(args)));
    }
    System.exit(run(shell, args));
  }

  /** Messages of libraries come as ours do, with the time. */
  static void useJdkLogging() {
    LogLine.install();
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
  }

  /** Runs a command inside this process; returns its exit code. */
  public static int run(Shell around, String... args) {
    Shell shell = around.withArguments(List.of(args));
    CommandLine commands = Commands.of(shell, args);
    commands.setOut(unflushed(shell.out()));
    commands.setErr(new PrintWriter(shell.err(), true, StandardCharsets.UTF_8));
    commands.setUsageHelpAutoWidth(true);
    // A name may begin with @.
    commands.setExpandAtFiles(false);
    commands.setParameterExceptionHandler(
        (wrong, given) -> wrongUsage(shell, wrong, Arrays.asList(given)));
    commands.setExecutionExceptionHandler(
        (error, command, parsed) -> failed(shell, error, Arrays.asList(args)));
    try {
      int code = isVersion(args) ? version(shell) : commands.execute(args);
      // Whatever a command did, it has not said it while its results are not written.
      shell.out().flush();
      return code;
    } catch (OutputFailed failed) {
      return unwritten(shell, failed);
    } catch (OutOfMemoryError exhausted) {
      shell.say(
          "Java has no more memory or threads for this (%s); give it more (UPCALL_JAVA_OPTS=-Xmx...,"
                  .formatted(exhausted.getMessage())
              + " ulimit -u, pids.max)");
      return ExitCode.FAILED;
    } finally {
      shell.stop().finished();
    }
  }

  private static boolean isVersion(String[] args) {
    return args.length == 1 && RootCommand.VERSION_NAMES.contains(args[0]);
  }

  private static int version(Shell shell) {
    shell.out().println(RootCommand.Version.text());
    return ExitCode.OK;
  }

  /** Help of picocli's, which would take a failed flush for an error of its own. */
  private static PrintWriter unflushed(PrintStream out) {
    OutputStream written =
        new FilterOutputStream(out) {
          @Override
          public void flush() {
            // At the end of the command.
          }
        };
    return new PrintWriter(written, true, StandardCharsets.UTF_8);
  }

  /** Says why results could not be written, as far as that can still be said. */
  private static int unwritten(Shell shell, OutputFailed failed) {
    if (!failed.isReaderGone()) {
      shell.say(Printable.of(String.valueOf(failed.getMessage())));
    }
    return failed.exitCode();
  }

  private static int wrongUsage(Shell shell, ParameterException wrong, List<String> args) {
    String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
    String message = String.valueOf(wrong.getMessage()) + instead(wrong);
    shell.say(message + " (see: " + command + " --help)");
    CommandLine.UnmatchedArgumentException.printSuggestions(
        wrong, new PrintWriter(shell.err(), true, StandardCharsets.UTF_8));
    reportAsJson(shell, args, "usage", message, wrong);
    return ExitCode.USAGE;
  }

  private static String instead(ParameterException wrong) {
    return wrong instanceof CommandLine.UnmatchedArgumentException unknown
        ? Instead.of(unknown.getCommandLine().getCommandName(), unknown.getUnmatched())
            .map(words -> ": " + words)
            .orElse("")
        : "";
  }

  private static int failed(Shell shell, Exception error, List<String> args) {
    if (error instanceof OutputFailed failed) {
      // It is said at the end, where the results are flushed.
      return failed.exitCode();
    }
    CommandFailure failure = CommandFailure.of(error);
    String message = String.valueOf(failure.getMessage());
    shell.say(message);
    if (args.contains("--debug")) {
      error.printStackTrace(shell.err());
    }
    reportAsJson(shell, args, failure.kind(), message, error);
    return failure.exitCode();
  }

  private static void reportAsJson(
      Shell shell, List<String> args, String kind, String message, Exception error) {
    if (args.contains("--json")) {
      try {
        JsonDocument.write(
            shell.out(),
            json -> {
              json.writeStringField("error", message);
              json.writeStringField("kind", kind);
              Throwable reason = error instanceof CommandFailure ? error.getCause() : error;
              if (reason instanceof UpcallException failed) {
                DamagedFiles.write(json, failed.failure());
              }
            });
      } catch (OutputFailed _) {
        // As that of other results, it is said at the end.
        return;
      } catch (IOException impossible) {
        throw new UncheckedIOException(impossible);
      }
    }
  }
}
