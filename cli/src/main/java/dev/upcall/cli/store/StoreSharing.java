package dev.upcall.cli.store;

import dev.upcall.Upcall;
import dev.upcall.base.HostWords;
import dev.upcall.cli.failover.Departure;
import dev.upcall.cli.failover.Succession;
import dev.upcall.cli.host.StoreFiles;
import dev.upcall.cli.remote.CommandListener;
import dev.upcall.cli.remote.RemoteCall;
import dev.upcall.cli.remote.RemoteConsole;
import dev.upcall.cli.shell.LentStore;
import dev.upcall.cli.shell.ReloadedFiles;
import dev.upcall.cli.shell.RemoteStop;
import dev.upcall.cli.shell.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Lets commands of other processes work on a store that this process has open: they ask over a
 * socket beside the volume, and run here on threads of their own.
 */
public final class StoreSharing implements AutoCloseable {
  /** How long a command that had the store to itself waits for those that came meanwhile. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Runs a command that somebody asks for. */
  public interface Commands {
    /** Runs it inside this process; returns its exit code. */
    int run(Shell shell, String... arguments);
  }

  /** The time that commands that end anyway may take without a word. */
  private static final Duration A_MOMENT = Duration.ofMillis(200);

  private final Upcall store;
  private final Commands commands;
  private final StoreFiles files;
  private final LentStore.Owner owner;
  private final Succession succession = new Succession();
  private final ReloadedFiles reloaded = new ReloadedFiles();
  private final CommandListener listener;

  private StoreSharing(Upcall store, StoreFiles files, String command, Commands commands)
      throws IOException {
    this.store = store;
    this.commands = commands;
    this.files = files;
    this.owner = new LentStore.Owner(ProcessHandle.current().pid(), command, Instant.now());
    this.listener = CommandListener.open(files.volume(), owner.name(), this::run);
  }

  /**
   * Begins to listen, for a program that is no command.
   *
   * @param store the store, which is closed after this
   * @param volume where it is
   * @throws IOException when there can be no socket beside the volume, and why
   */
  public static StoreSharing listen(Upcall store, Path volume, Commands commands)
      throws IOException {
    return new StoreSharing(store, StoreFiles.of(volume), "a program", commands);
  }

  /**
   * As {@link #listen}, for a command, which goes on alone where there can be no socket. Ends when
   * the commands of others have, after a time at most, or when there is hurry.
   */
  public static Sharing share(Upcall store, StoreFiles files, Shell shell, Commands commands) {
    return share(store, files, shell, commands, new Ending(PATIENCE, shell.stop()::isAsked));
  }

  /** As {@link #share} for a command that ends when it is told to. */
  public static Sharing share(
      Upcall store, StoreFiles files, Shell shell, Commands commands, Duration patience) {
    return share(store, files, shell, commands, new Ending(patience, () -> false));
  }

  private static Sharing share(
      Upcall store, StoreFiles files, Shell shell, Commands commands, Ending ending) {
    if (shell.lent() != null) {
      return Sharing.NONE;
    }
    try {
      StoreSharing shared = new StoreSharing(store, files, shell.arguments().getFirst(), commands);
      return new Sharing() {
        @Override
        public void serves(Departure departure) {
          shared.succession.serves(departure);
        }

        @Override
        public void reloads(Supplier<List<String>> files) {
          shared.reloaded.serves(files);
        }

        @Override
        public void close() throws IOException {
          shared.end(shell, ending);
        }
      };
    } catch (IOException refused) {
      // Beside one that only reads others may read, and nobody can change anything.
      if (!store.config().readOnly()) {
        shell.say("other commands cannot use the store meanwhile: " + HostWords.of(refused));
      }
      return Sharing.NONE;
    }
  }

  private int run(RemoteCall call, RemoteConsole console) {
    Shell shell =
        new Shell(
                console.in(),
                Shell.results(console.out()),
                Shell.messages(console.err()),
                call.interactive(),
                Path.of(call.directory()),
                name -> null,
                new RemoteStop(console))
            .withLent(
                new LentStore(store, Path.of(call.volume()), files, owner, succession, reloaded),
                call.named());
    return commands.run(shell, call.arguments().toArray(String[]::new));
  }

  /**
   * Takes no more commands and ends those that run, as Ctrl-C would; returns when they have ended,
   * or after some seconds.
   */
  @Override
  public void close() throws IOException {
    succession.close();
    listener.close();
  }

  private void end(Shell shell, Ending ending) throws IOException {
    listener.stopListening();
    succession.close();
    // A standby's, and the handover's own, end by themselves.
    if (!listener.drain(A_MOMENT, ending.hurry())) {
      int running = listener.running();
      shell.say(
          "waiting for %d commands of other processes, at most %d s"
              .formatted(running, ending.patience().toSeconds()));
    }
    listener.drain(ending.patience(), ending.hurry());
    listener.close();
  }

  /** How long the commands of others are waited for. */
  private record Ending(Duration patience, BooleanSupplier hurry) {}

  /** That others use the store which a command has open, until this is closed, once or more. */
  public interface Sharing extends AutoCloseable {
    /** They do not. */
    Sharing NONE = () -> {};

    /** A server of it began, which can leave it to a standby. */
    default void serves(Departure departure) {}

    /** A server of it began, which can read these again ({@link ReloadedFiles#serves}). */
    default void reloads(Supplier<List<String>> files) {}

    @Override
    void close() throws IOException;
  }
}
