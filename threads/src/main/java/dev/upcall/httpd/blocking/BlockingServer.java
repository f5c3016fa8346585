package dev.upcall.httpd.blocking;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.base.Clock;
import dev.upcall.base.HostWords;
import dev.upcall.base.Invariants;
import dev.upcall.base.SystemClock;
import dev.upcall.base.ThreadEnd;
import dev.upcall.completion.Failure;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.Refusal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Serves a site over HTTP/1.1 and 1.0 with one thread for each connection and blocking sockets. The
 * methods may be called from any thread. Close it before the store.
 */
public final class BlockingServer implements AutoCloseable {
  /** Connections over the limit that may be in the middle of being told so. */
  private static final int TURNED_AWAY_LIMIT = 64;

  /** How often the close looks for connections that have become idle. */
  private static final long CLOSE_STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final ServerContext server;
  private final ServerSocketChannel listening;
  private final ServingThreads threads;
  private final Places places;
  private final Watch watch;
  private final Thread acceptor;
  private final Set<Conversation> conversations = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closing = new AtomicBoolean();

  /** The connection that could not be accepted when that was said last; of the acceptor. */
  private long warnedAt = -1;

  private BlockingServer(HttpConfig config, Engine engine, BlockingSite site, Listening listening) {
    Clock clock = listening.clock();
    BlockingSite.Changes changes =
        config.requests().writable() ? site.changes().orElse(null) : null;
    this.listening = listening.channel();
    this.server =
        new ServerContext(
            config,
            clock,
            site,
            changes,
            new SharedCounters(),
            new SendBudget(config.responses().maxLeasedBytes()),
            new AddressShares(config, clock),
            closing::get);
    this.places = new Places(config.connections().max() + TURNED_AWAY_LIMIT);
    this.threads = new ServingThreads(engine);
    this.watch = new Watch(config.timeouts().sweepNanos(), this::sweep);
    this.acceptor = Thread.ofPlatform().daemon().name("upcall-http accept").start(this::accept);
  }

  private record Listening(ServerSocketChannel channel, Clock clock) {}

  /**
   * Serves all files of a store, with threads of the kind that its engine names. All connections
   * together hold at most a quarter of the store's memory, whatever the configuration says.
   *
   * @param address where to listen; port 0 takes any free one
   * @throws UpcallException {@code Device} with the operating system's reason if that is impossible
   */
  public static BlockingServer start(Upcall store, HttpConfig config, InetSocketAddress address) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(address, "address");
    HttpConfig limits = config.withinMemory(store.config().memoryBytes());
    return start(BlockingSite.of(store), limits, store.config().engine(), address);
  }

  /**
   * As {@link #start(Upcall, HttpConfig, InetSocketAddress)} for any site.
   *
   * @param engine {@code VIRTUAL} for virtual threads, else platform threads
   */
  public static BlockingServer start(
      BlockingSite site, HttpConfig config, Engine engine, InetSocketAddress address) {
    Objects.requireNonNull(site, "site");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(engine, "engine");
    Objects.requireNonNull(address, "address");
    if (config.admission().isOn()) {
      throw UpcallException.of(
          new Failure.Invalid("a server of threads has no limit of requests inside the store"));
    }
    if (config.policy().asksForClients()) {
      throw UpcallException.of(
          new Failure.Invalid(
              "a server with a thread for each connection has no access rules, no access log and"
                  + " no trusted proxies"));
    }
    if (config.policy().resumable().isPresent()) {
      throw UpcallException.of(
          new Failure.Invalid(
              "a server with a thread for each connection takes no resumable uploads"));
    }
    if (config.requests().writable() && site.changes().isEmpty()) {
      throw UpcallException.of(
          new Failure.Invalid("this site cannot be changed, and requests.writable asks for it"));
    }
    try {
      ServerSocketChannel channel = ServerSocketChannel.open();
      try {
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.bind(address, config.connections().backlog());
      } catch (IOException refused) {
        channel.close();
        throw refused;
      }
      return new BlockingServer(config, engine, site, new Listening(channel, new SystemClock()));
    } catch (IOException refused) {
      String reason = String.valueOf(refused.getMessage());
      throw UpcallException.of(new Failure.Device("listening on " + address, reason));
    }
  }

  // ------------------------------------------------------------------ accepting

  private void accept() {
    long id = 0;
    while (true) {
      places.enter();
      try {
        SocketChannel channel = listening.accept();
        begin(channel, id++);
      } catch (IOException refused) {
        places.leave();
        if (!listening.isOpen()) {
          return;
        }
        // No descriptors, or a client that is gone already: goes on when another one ends.
        warn(refused, id);
        places.pause();
      }
    }
  }

  /** Once for all that are refused one after the other. */
  private void warn(IOException refused, long id) {
    if (warnedAt != id) {
      warnedAt = id;
      System.getLogger(BlockingServer.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "accepting a connection failed ({0}); those that come wait until another one ends",
              HostWords.of(refused));
    }
  }

  /** Fails when the connection is gone already, and then has begun nothing. */
  private void begin(SocketChannel channel, long id) throws IOException {
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    } catch (IOException gone) {
      channel.close();
      throw gone;
    }
    ClientSocket socket = new ClientSocket(channel, server.config().timeouts(), server.clock());
    Conversation conversation = new Conversation(server, socket, id, this::ended);
    conversations.add(conversation);
    conversation.count(counts -> counts.add(HttpCount.ACCEPTED_CONNECTIONS));
    boolean fits = server.shares().enter(conversation.address());
    if (places.taken() > server.config().connections().max()) {
      conversation.turnAway(Refusal.TOO_MANY_CONNECTIONS);
    } else if (!fits) {
      conversation.count(counts -> counts.add(HttpCount.REFUSED_OF_ADDRESS));
      conversation.turnAway(Refusal.TOO_MANY_OF_ADDRESS);
    }
    if (!threads.run(conversation)) {
      conversation.count(counts -> counts.add(HttpCount.REFUSED_CONNECTIONS));
      ended(conversation);
    }
  }

  private void ended(Conversation conversation) {
    conversation.socket().close();
    conversations.remove(conversation);
    server.shares().leave(conversation.address());
    places.leave();
  }

  /** Ends those who wait for their clients for too long. */
  private void sweep() {
    long now = server.clock().monotonicNanos();
    boolean pressed = server.budget().isWanted();
    for (Conversation conversation : conversations) {
      ClientSocket socket = conversation.socket();
      if (socket.isStuck(now, pressed)) {
        socket.endIfStuck();
      }
    }
  }

  // ------------------------------------------------------------------ for its owner

  /** Where the server listens, with the port that it got. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.socket().getLocalSocketAddress();
  }

  /** Counts as they are now. */
  public HttpMetrics metrics() {
    return server
        .counters()
        .sum()
        .with(HttpCount.OPEN_CONNECTIONS, conversations.size())
        .with(HttpCount.THREADS, threads.size());
  }

  /**
   * Accepts no more, ends idle connections, lets the responses under way finish for a bounded time,
   * and returns when no connection and no thread is left. A second call waits for nothing.
   */
  @Override
  public void close() {
    if (closing.getAndSet(true)) {
      return;
    }
    long deadlineNanos = server.clock().monotonicNanos() + server.config().timeouts().drainNanos();
    try {
      listening.close();
    } catch (IOException unclosed) {
      throw UpcallException.of(
          new Failure.Device("closing " + listening, String.valueOf(unclosed.getMessage())));
    }
    places.open();
    ThreadEnd.await(acceptor);
    threads.shutdown();
    do {
      boolean drainIsOver = server.clock().monotonicNanos() - deadlineNanos >= 0;
      for (Conversation conversation : conversations) {
        if (drainIsOver) {
          conversation.socket().giveUp();
        } else {
          conversation.socket().endIfIdle();
        }
      }
    } while (!threads.awaitEnd(CLOSE_STEP_NANOS));
    watch.close();
    checkNothingHeld();
  }

  private void checkNothingHeld() {
    HttpMetrics counts = metrics();
    Invariants.check(conversations.isEmpty(), "connections without threads");
    Invariants.check(
        counts.of(HttpCount.FILES_OPENED) == counts.of(HttpCount.FILES_CLOSED),
        "files opened and closed by connections",
        counts.of(HttpCount.FILES_OPENED),
        counts.of(HttpCount.FILES_CLOSED));
    Invariants.check(
        counts.of(HttpCount.UPLOADS_BEGUN) == counts.of(HttpCount.UPLOADS_ENDED),
        "uploads begun and ended by connections",
        counts.of(HttpCount.UPLOADS_BEGUN),
        counts.of(HttpCount.UPLOADS_ENDED));
    Invariants.check(server.budget().isUnused(), "bytes held by nobody");
    Invariants.check(server.shares().isEmpty(), "addresses without connections");
  }
}
