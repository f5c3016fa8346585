package dev.upcall.cli;

import dev.upcall.UpcallConfig;
import dev.upcall.base.Printable;
import dev.upcall.cli.access.AccessCommand;
import dev.upcall.cli.access.NewCommand;
import dev.upcall.cli.access.RulesCommand;
import dev.upcall.cli.blocks.BlocksCommand;
import dev.upcall.cli.failover.HandoverCommand;
import dev.upcall.cli.failover.StandbyCommand;
import dev.upcall.cli.failover.Succession;
import dev.upcall.cli.failover.TakeoverCommand;
import dev.upcall.cli.files.CatCommand;
import dev.upcall.cli.files.CompressionCommand;
import dev.upcall.cli.files.CutCommand;
import dev.upcall.cli.files.DedupCommand;
import dev.upcall.cli.files.EditPolicyCommand;
import dev.upcall.cli.files.JoinCommand;
import dev.upcall.cli.files.ListCommand;
import dev.upcall.cli.files.MakeDirectoryCommand;
import dev.upcall.cli.files.PosixCommands;
import dev.upcall.cli.files.PutCommand;
import dev.upcall.cli.files.RemoveCommand;
import dev.upcall.cli.files.RewriteCommand;
import dev.upcall.cli.files.SpliceCommand;
import dev.upcall.cli.files.StatCommand;
import dev.upcall.cli.files.TwoPathsCommand;
import dev.upcall.cli.host.OutputFailed;
import dev.upcall.cli.manual.ManualCommand;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ExitCode;
import dev.upcall.cli.option.KeyOptions;
import dev.upcall.cli.posix.ChangeModeCommand;
import dev.upcall.cli.posix.CopyCommand;
import dev.upcall.cli.posix.DiskFree;
import dev.upcall.cli.posix.FindCommand;
import dev.upcall.cli.posix.TouchCommand;
import dev.upcall.cli.queue.QueueCommand;
import dev.upcall.cli.queue.SubmitCommand;
import dev.upcall.cli.queue.Surroundings;
import dev.upcall.cli.serve.ReloadCommand;
import dev.upcall.cli.serve.ServeCommand;
import dev.upcall.cli.shell.LentStore;
import dev.upcall.cli.shell.Shell;
import dev.upcall.cli.store.StoreAccess;
import dev.upcall.cli.table.TableCommand;
import dev.upcall.cli.trace.TraceCommand;
import dev.upcall.cli.transfer.ExportCommand;
import dev.upcall.cli.transfer.ImportCommand;
import dev.upcall.cli.volume.CheckpointCommand;
import dev.upcall.cli.volume.ConfigCommand;
import dev.upcall.cli.volume.CreateCommand;
import dev.upcall.cli.volume.InfoCommand;
import dev.upcall.cli.volume.KeyCommand;
import dev.upcall.cli.volume.SnapshotCommand;
import dev.upcall.cli.volume.SnapshotListCommand;
import dev.upcall.cli.volume.VerifyCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** Which commands there are, and what each is told of the process around it. */
final class Commands {
  private Commands() {}

  /** All commands. */
  static CommandLine all(Shell shell) {
    CommandLine root = new CommandLine(new RootCommand(shell));
    makers().forEach((name, maker) -> root.addSubcommand(name, maker.apply(shell)));
    return root;
  }

  /** The command that is asked for, and no other: reading a command's options takes a while. */
  static CommandLine of(Shell shell, String... args) {
    if (args.length > 0 && args[0].equals(StandbyCommand.NAME)) {
      // Not for people, and in no list: a standby has the owner of its store run it.
      return new CommandLine(new RootCommand(shell)).addSubcommand(standby(shell));
    }
    if (args.length > 0 && args[0].equals(ManualCommand.NAME)) {
      return new CommandLine(new RootCommand(shell))
          .addSubcommand(new ManualCommand(() -> all(shell)));
    }
    Function<Shell, Object> maker = args.length == 0 ? null : makers().get(args[0]);
    return maker == null
        ? all(shell)
        : new CommandLine(new RootCommand(shell)).addSubcommand(args[0], maker.apply(shell));
  }

  private static Map<String, Function<Shell, Object>> makers() {
    Map<String, Function<Shell, Object>> makers = new LinkedHashMap<>();
    makers.put("serve", shell -> new ServeCommand(shell, Main::run));
    makers.put("create", CreateCommand::new);
    makers.put("import", shell -> new ImportCommand(shell, Main::run));
    makers.put("export", shell -> new ExportCommand(shell, Main::run));
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
    makers.put("dedup", DedupCommand::new);
    makers.put("compression", CompressionCommand::new);
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
    makers.put("table", TableCommand::of);
    makers.put(
        "key",
        shell ->
            new CommandLine(new KeyCommand())
                .addSubcommand(new KeyCommand.Add(shell))
                .addSubcommand(new KeyCommand.Remove(shell))
                .addSubcommand(new KeyCommand.ListKeys(shell))
                .addSubcommand(new KeyCommand.Rotate(shell)));
    makers.put("submit", shell -> new SubmitCommand(surroundings(shell)));
    makers.put(
        "queue",
        shell ->
            new QueueCommand(
                surroundings(shell),
                (store, key, queue, work) -> readIn(store, key, queue, shell, work)));
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
    makers.put(
        "access",
        shell ->
            new CommandLine(new AccessCommand())
                .addSubcommand(new NewCommand(shell))
                .addSubcommand(new RulesCommand.Listing(shell))
                .addSubcommand(new RulesCommand.Check(shell)));
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
    makers.put("reload", ReloadCommand::new);
    makers.put("verify", shell -> new VerifyCommand(shell, Main::run));
    makers.put("info", shell -> new InfoCommand(shell, Main::run));
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

  private static int readIn(
      Path named, KeyOptions key, Path queue, Shell shell, QueueCommand.Work work)
      throws IOException {
    UpcallConfig config = UpcallConfig.DEFAULT.withReadOnly(true);
    StoreAccess access = new StoreAccess();
    access.store = named;
    Path volume = access.find(shell);
    return StoreAccess.with(
        volume,
        () -> StoreAccess.open(volume, key.in(config, shell::resolve), shell),
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
}
