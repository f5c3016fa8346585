package dev.upcall.cli;

import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.base.HostWords;
import dev.upcall.base.Printable;
import dev.upcall.cli.blocks.BlocksCommand;
import dev.upcall.cli.damage.DamagedFiles;
import dev.upcall.cli.failover.HandoverCommand;
import dev.upcall.cli.failover.StandbyCommand;
import dev.upcall.cli.failover.Succession;
import dev.upcall.cli.failover.TakeoverCommand;
import dev.upcall.cli.host.OutputFailed;
import dev.upcall.cli.manual.ManualCommand;
import dev.upcall.cli.option.Arguments;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.Instead;
import dev.upcall.cli.option.JsonDocument;
import dev.upcall.cli.option.LogLine;
import dev.upcall.cli.posix.ChangeModeCommand;
import dev.upcall.cli.posix.CopyCommand;
import dev.upcall.cli.posix.DiskFree;
import dev.upcall.cli.posix.FindCommand;
import dev.upcall.cli.posix.TouchCommand;
import dev.upcall.cli.queue.QueueCommand;
import dev.upcall.cli.queue.SubmitCommand;
import dev.upcall.cli.queue.Surroundings;
import dev.upcall.cli.trace.TraceCommand;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
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

  /**
   * Reads what a warning needs of the JDK: a process that warns of too few descriptors has none for
   * the files of time zones and of settings.
   */
  static void prepareWarnings() {
    LogRecord none = new LogRecord(Level.WARNING, "");
    for (Handler handler : Logger.getLogger("").getHandlers()) {
      handler.getFormatter().format(none);
    }
  }

  /** All commands. */
  static CommandLine commands(Shell shell) {
    CommandLine root = new CommandLine(new RootCommand(shell));
    makers().forEach((name, maker) -> root.addSubcommand(name, maker.apply(shell)));
    return root;
  }

  /** The command that is asked for, and no other: reading a command's options takes a while. */
  private static CommandLine commands(Shell shell, String[] args) {
    if (args.length > 0 && args[0].equals(StandbyCommand.NAME)) {
      // Not for people, and in no list: a standby has the owner of its store run it.
      return new CommandLine(new RootCommand(shell)).addSubcommand(standby(shell));
    }
    if (args.length > 0 && args[0].equals(ManualCommand.NAME)) {
      return new CommandLine(new RootCommand(shell))
          .addSubcommand(new ManualCommand(() -> commands(shell)));
    }
    Function<Shell, Object> maker = args.length == 0 ? null : makers().get(args[0]);
    return maker == null
        ? commands(shell)
        : new CommandLine(new RootCommand(shell)).addSubcommand(args[0], maker.apply(shell));
  }

  private static Map<String, Function<Shell, Object>> makers() {
    Map<String, Function<Shell, Object>> makers = new LinkedHashMap<>();
    makers.put("serve", ServeCommand::new);
    makers.put("create", CreateCommand::new);
    makers.put("import", ImportCommand::new);
    makers.put("export", ExportCommand::new);
    makers.put("ls", ListCommand::new);
    makers.put("find", shell -> PosixCommands.reading(shell, new FindCommand()));
    makers.put("cat", CatCommand::new);
    makers.put("put", PutCommand::new);
    makers.put("mkdir", MakeDirectoryCommand::new);
    makers.put("rm", RemoveCommand::new);
    makers.put("mv", TwoPathsCommand.Move::new);
    makers.put("cp", shell -> PosixCommands.changing(shell, new CopyCommand()));
    makers.put("clone", TwoPathsCommand.Clone::new);
    makers.put("touch", shell -> PosixCommands.changing(shell, new TouchCommand()));
    makers.put(
        "chmod",
        shell ->
            // chmod -x is a mode and no option.
            PosixCommands.changing(shell, new ChangeModeCommand())
                .setUnmatchedOptionsArePositionalParams(true));
    makers.put("splice", SpliceCommand::new);
    makers.put("cut", CutCommand::new);
    makers.put("edit-policy", EditPolicyCommand::new);
    makers.put("rewrite", RewriteCommand::new);
    makers.put("join", JoinCommand::new);
    makers.put("stat", StatCommand::new);
    makers.put(
        "snapshot",
        shell ->
            new CommandLine(new SnapshotCommand())
                .addSubcommand(new SnapshotCommand.Create(shell))
                .addSubcommand(new SnapshotListCommand(shell))
                .addSubcommand(new SnapshotCommand.Drop(shell)));
    makers.put("submit", shell -> new SubmitCommand(surroundings(shell)));
    makers.put(
        "queue",
        shell ->
            new QueueCommand(
                surroundings(shell), (store, queue, work) -> readIn(store, queue, shell, work)));
    makers.put(
        "trace",
        shell ->
            new TraceCommand(
                new TraceCommand.Surroundings(
                    shell.out(),
                    shell.err(),
                    shell.directory(),
                    shell.stop()::await,
                    Printable::of),
                (store, results, work) -> asked(store, results, shell, work)));
    makers.put("blocks", shell -> new BlocksCommand(blocks(shell)));
    makers.put(
        "takeover",
        shell ->
            new TakeoverCommand(
                new TakeoverCommand.Surroundings(shell.out(), shell.err(), shell.directory())));
    makers.put(
        "handover",
        shell ->
            new HandoverCommand(
                new HandoverCommand.Surroundings(
                    shell.out(),
                    shell::say,
                    succession(shell),
                    (store, work) -> StoreAccess.whereOpen(store, shell, _ -> work.run()))));
    makers.put("verify", VerifyCommand::new);
    makers.put("info", InfoCommand::new);
    makers.put("df", shell -> PosixCommands.looking(shell, new DiskFree()));
    makers.put("checkpoint", CheckpointCommand::new);
    makers.put("config", ConfigCommand::new);
    return makers;
  }

  private static BlocksCommand.Surroundings blocks(Shell shell) {
    return new BlocksCommand.Surroundings(
        shell.out(),
        shell.err(),
        shell.directory(),
        millis -> {
          // From the first question on, the process waits until its files are in order.
          shell.stop().listen();
          return shell.stop().await(millis);
        },
        Printable::of);
  }

  private static StandbyCommand standby(Shell shell) {
    return new StandbyCommand(
        new StandbyCommand.Surroundings(
            shell.in(),
            shell.out(),
            ended -> {
              shell.stop().listen();
              shell.stop().whenAsked(ended);
            },
            succession(shell)));
  }

  private static @Nullable Succession succession(Shell shell) {
    LentStore lent = shell.lent();
    return lent == null ? null : lent.succession();
  }

  private static int readIn(Path named, Path queue, Shell shell, QueueCommand.Work work)
      throws IOException {
    StoreAccess access = new StoreAccess();
    access.store = named;
    Path volume = access.find(shell);
    return StoreAccess.with(
        volume,
        () -> StoreAccess.open(volume, UpcallConfig.DEFAULT.withReadOnly(true), shell),
        shell.naming(shell.resolve(queue)),
        work::run);
  }

  /** Asks a served store for a trace, whose results may go into a file of this process's host. */
  private static int asked(
      @Nullable Path store, @Nullable Path results, Shell shell, TraceCommand.Work work)
      throws IOException {
    if (results == null || shell.lent() != null) {
      return StoreAccess.whereOpen(store, shell, work::run);
    }
    Path target = shell.resolve(results);
    try (OutputStream file = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
      return askedInto(file, target, store, shell, work);
    }
  }

  private static int askedInto(
      OutputStream file, Path target, @Nullable Path store, Shell shell, TraceCommand.Work work)
      throws IOException {
    boolean whole = false;
    try {
      Shell writing = shell.writing(file, target);
      int code = StoreAccess.whereOpen(store, writing, work::run);
      writing.out().flush();
      whole = code == ExitCode.OK;
      return code;
    } catch (OutputFailed full) {
      throw CommandFailure.failed(String.valueOf(full.getMessage()));
    } finally {
      if (!whole) {
        Files.deleteIfExists(target);
      }
    }
  }

  private static Surroundings surroundings(Shell shell) {
    return new Surroundings(shell.in(), shell.out(), shell.err(), shell.directory(), Printable::of);
  }

  /** Runs a command inside this process; returns its exit code. */
  static int run(Shell around, String... args) {
    Shell shell = around.withArguments(List.of(args));
    CommandLine commands = commands(shell, args);
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
    String message;
    String kind = "failed";
    int code = ExitCode.FAILED;
    switch (error) {
      case OutputFailed failed -> {
        // It is said at the end, where the results are flushed.
        return failed.exitCode();
      }
      case CommandFailure failure -> {
        message = String.valueOf(failure.getMessage());
        code = failure.exitCode();
        kind = failure.kind();
      }
      case UpcallException failure -> {
        message = failure.failure().message();
        kind = failure.failure().getClass().getSimpleName();
      }
      case UncheckedIOException host -> message = HostWords.withPath(host);
      case IOException host -> message = HostWords.withPath(host);
      default -> message = "internal error (run with --debug to see where): " + error;
    }
    shell.say(message);
    if (args.contains("--debug")) {
      error.printStackTrace(shell.err());
    }
    reportAsJson(shell, args, kind, message, error);
    return code;
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
              if (error instanceof UpcallException failed) {
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
