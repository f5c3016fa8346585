package dev.upcall.specweb.client;

import dev.upcall.specweb.FileSet;
import dev.upcall.specweb.load.Answer;
import dev.upcall.specweb.load.Fault;
import dev.upcall.specweb.load.Requester;
import io.netty.channel.ChannelException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends GETs to one server over as many connections as are outstanding, and checks the answers. All
 * calls are on the thread of its loop. What it holds is bounded by what is outstanding.
 */
public final class WebClient implements Requester {
  private static final long SWEEP_NANOS = 100_000_000;

  /** Looks at a connection before it can be late: when this process is late itself, one is not. */
  static final int PATIENT_SWEEPS = 3;

  /** With this many connections their buffers become small, as each one that waits may hold one. */
  private static final int MANY_CONNECTIONS = 1_000;

  private static final int LARGE_BUFFER_BYTES = 128 << 10;
  private static final int SMALL_BUFFER_BYTES = 16 << 10;

  private final ClientLoop loop;
  private final Target target;
  private final ClientConfig config;
  private final RequestText text;
  private final List<ClientConnection> connections = new ArrayList<>();
  private final ArrayDeque<ClientConnection> idle = new ArrayDeque<>();
  private @Nullable String server;
  private long opened;
  private long answered;
  private boolean sweeping;
  private long sweeps;

  /** A client with no connection yet. */
  public WebClient(ClientLoop loop, Target target, ClientConfig config) {
    this.loop = loop;
    this.target = target;
    this.config = config;
    this.text = new RequestText(target);
  }

  @Override
  public void get(FileSet.Entry entry, Listener listener) {
    boolean checksContent = answered++ % config.checkEvery() == 0;
    Exchange exchange = new Exchange(entry, listener, checksContent, loop.nanoTime());
    ClientConnection kept = idle.pollLast();
    if (kept != null) {
      kept.send(exchange);
      return;
    }
    sweepLater();
    try {
      ClientConnection connection = new ClientConnection(this, exchange);
      connections.add(connection);
      connection.place(connections.size() - 1);
      connection.open(target.address(), source());
      opened++;
    } catch (ChannelException noSocket) {
      String reason = String.valueOf(noSocket.getMessage());
      loop.at(
          loop.nanoTime(),
          () -> listener.answered(Answer.wrong(loop.nanoTime(), Fault.CONNECT, reason)));
    }
  }

  /**
   * A request under way.
   *
   * @param entry what is asked for
   * @param listener hears of the end
   * @param checksContent whether every byte is compared
   * @param startNanos when it began
   */
  record Exchange(FileSet.Entry entry, Listener listener, boolean checksContent, long startNanos) {}

  private @Nullable InetSocketAddress source() {
    List<InetAddress> sources = config.sources();
    return sources.isEmpty()
        ? null
        : new InetSocketAddress(sources.get((int) (opened % sources.size())), 0);
  }

  ClientLoop loop() {
    return loop;
  }

  ClientConfig config() {
    return config;
  }

  RequestText text() {
    return text;
  }

  int bufferBytes() {
    return connections.size() < MANY_CONNECTIONS ? LARGE_BUFFER_BYTES : SMALL_BUFFER_BYTES;
  }

  /** A connection can take another request. */
  void idle(ClientConnection connection) {
    idle.addLast(connection);
  }

  /** A connection has ended. */
  void ended(ClientConnection connection, boolean wasIdle) {
    if (wasIdle) {
      idle.remove(connection);
    }
    ClientConnection last = connections.removeLast();
    if (last != connection) {
      connections.set(connection.place(), last);
      last.place(connection.place());
    }
  }

  void serverIs(@Nullable String name) {
    if (server == null) {
      server = name;
    }
  }

  /** What the server called itself in the first response, or null. */
  public @Nullable String server() {
    return server;
  }

  /** How often all connections were looked at. */
  long sweeps() {
    return sweeps;
  }

  /** Connections opened so far. */
  public long opened() {
    return opened;
  }

  private void sweepLater() {
    if (!sweeping) {
      sweeping = true;
      loop.at(loop.nanoTime() + SWEEP_NANOS, this::sweep);
    }
  }

  private void sweep() {
    sweeping = false;
    sweeps++;
    long now = loop.nanoTime();
    List.copyOf(connections).forEach(connection -> connection.checkTime(now));
    if (!connections.isEmpty()) {
      sweepLater();
    }
  }

  /** Ends all connections; requests under way are never answered. */
  public void close() {
    List.copyOf(connections).forEach(ClientConnection::abandon);
  }
}
