package dev.upcall.cli.remote;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Lets other processes run commands on the store that this one has open, over a socket beside its
 * volume: those of this process's user, and root's. Made and closed by whoever has the store open,
 * closed before the store.
 */
public final class CommandListener implements AutoCloseable {
  /** Clients at once; one above that is told so. */
  public static final int MAX_CLIENTS = 32;

  /** The answer to a client for whose command no thread can be had. */
  static final String NO_THREAD =
      "the process that has the store open gets no more threads (ulimit -u, pids.max); try again";

  private static final long LOOK_MILLIS = 50;
  private static final long CUT_OFF_SECONDS = 5;

  /** Runs commands, each on a thread of its own. */
  public interface Commands {
    /** Runs one to its end; returns its exit code. */
    int run(RemoteCall call, RemoteConsole console);
  }

  /** Where commands get their threads. */
  @FunctionalInterface
  interface Threads {
    /** Starts one; false if this process gets no more. */
    boolean start(String name, Runnable work);
  }

  private final ServerSocketChannel server;
  private final Path socket;
  private final String socketKey;
  private final ServedCommand.Owner owner;
  private final Set<UserPrincipal> users;
  private final Set<ServedCommand> clients = new LinkedHashSet<>();

  private CommandListener(ServerSocketChannel server, Path socket, ServedCommand.Owner owner)
      throws IOException {
    this.server = server;
    this.socket = socket;
    this.socketKey = CommandSocket.key(socket);
    this.owner = owner;
    this.users = CommandSocket.ourselves();
  }

  /**
   * Begins to listen.
   *
   * @param volume the volume, which this process has open
   * @param name what this process is, for a person
   * @throws IOException when there can be no socket beside the volume, and why
   */
  public static CommandListener open(Path volume, String name, Commands commands)
      throws IOException {
    return open(volume, name, commands, CommandListener::start);
  }

  static CommandListener open(Path volume, String name, Commands commands, Threads threads)
      throws IOException {
    Path real = volume.toRealPath();
    ServedCommand.Owner owner =
        new ServedCommand.Owner(CommandSocket.key(real), name, commands, threads);
    ServerSocketChannel server = CommandSocket.bind(real);
    CommandListener listener = new CommandListener(server, CommandSocket.of(real), owner);
    Thread.ofPlatform().daemon().name("commands").start(listener::accept);
    return listener;
  }

  private void accept() {
    while (true) {
      SocketChannel client;
      try {
        client = server.accept();
      } catch (ClosedChannelException closed) {
        return;
      } catch (IOException tooMany) {
        // Of descriptors, say: those that are there must end first.
        pause();
        continue;
      }
      ServedCommand command = new ServedCommand(client, owner, this::ended);
      try {
        begin(client, command);
      } catch (OutOfMemoryError noRoom) {
        // The client sees its connection end; those that come later find somebody who listens.
        command.cutOff();
      }
    }
  }

  private void begin(SocketChannel client, ServedCommand command) {
    String refusal = refusal(client, command);
    if (refusal.isEmpty() && !owner.threads().start("command", command)) {
      ended(command);
      refusal = NO_THREAD;
    }
    if (!refusal.isEmpty()) {
      command.refuse(refusal);
    }
  }

  private static boolean start(String name, Runnable work) {
    try {
      Thread.ofPlatform().daemon().name(name).start(work);
      return true;
    } catch (OutOfMemoryError noThread) {
      // The JVM's word for that.
      return false;
    }
  }

  /** Why a client is not served, or empty: then it counts until it has ended. */
  private String refusal(SocketChannel client, ServedCommand command) {
    try {
      UserPrincipal user = CommandSocket.peer(client);
      if (!users.contains(user)) {
        return "the store was opened by another user";
      }
    } catch (IOException unknown) {
      return "nobody knows whose command this is: " + unknown.getMessage();
    }
    synchronized (clients) {
      if (clients.size() >= MAX_CLIENTS) {
        return "the process that has the store open runs %d commands already; try again"
            .formatted(MAX_CLIENTS);
      }
      clients.add(command);
      return "";
    }
  }

  private void ended(ServedCommand command) {
    synchronized (clients) {
      clients.remove(command);
      clients.notifyAll();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many commands run. */
  public int running() {
    synchronized (clients) {
      return clients.size();
    }
  }

  /** Takes no more commands. Those that run go on. */
  public void stopListening() throws IOException {
    server.close();
    // Another store may lie under this name by now, and its owner listen there.
    if (Files.exists(socket) && CommandSocket.key(socket).equals(socketKey)) {
      Files.delete(socket);
    }
  }

  /**
   * Waits until no command runs.
   *
   * @param patience for how long at most
   * @param hurry no longer than until this is true
   * @return whether none runs any more
   */
  public boolean drain(Duration patience, BooleanSupplier hurry) {
    long endNanos = System.nanoTime() + patience.toNanos();
    synchronized (clients) {
      while (!clients.isEmpty() && System.nanoTime() - endNanos < 0 && !hurry.getAsBoolean()) {
        try {
          clients.wait(LOOK_MILLIS);
        } catch (InterruptedException during) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
      return clients.isEmpty();
    }
  }

  /**
   * Takes no more commands and ends those that run, as a signal would. Returns when they have
   * ended, or after some seconds: then the store is closed under what is left.
   */
  @Override
  public void close() throws IOException {
    stopListening();
    forEach(ServedCommand::cancel);
    if (!drain(Duration.ofSeconds(CUT_OFF_SECONDS), () -> false)) {
      forEach(ServedCommand::cutOff);
      drain(Duration.ofSeconds(1), () -> false);
    }
  }

  private void forEach(Consumer<ServedCommand> action) {
    List<ServedCommand> now;
    synchronized (clients) {
      now = new ArrayList<>(clients);
    }
    now.forEach(action);
  }
}
