package dev.upcall.httpd;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.MachineStats;
import dev.upcall.httpd.session.HttpSession;
import dev.upcall.httpd.session.HttpSessionState;
import dev.upcall.httpd.session.Sessions;
import dev.upcall.httpd.session.SimConnection;
import dev.upcall.httpd.session.SimTlsClient;
import dev.upcall.httpd.session.SocketConnection;
import dev.upcall.sim.SimClock;
import dev.upcall.sim.SimReactor;
import dev.upcall.sim.SimWorld;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Sessions over simulated connections and files in memory, in one thread from one seed. */
public final class SessionWorld implements HttpWorld {
  private static final int TURN_LIMIT = 2_000_000;

  final long seed;
  public final SplittableRandom random;
  public final SimClock clock;
  public final SimReactor reactor;
  public final Dispatcher dispatcher;
  public final Sessions sessions;

  /** Where connections made from now on take their buffers. */
  public ByteBufAllocator buffers = UnpooledByteBufAllocator.DEFAULT;

  /** The other end of connections made from now on. */
  public InetAddress peer = InetAddress.getLoopbackAddress();

  /** The connection as sessions see it. */
  public UnaryOperator<SocketConnection> over = connection -> connection;

  /** The language of clients of {@link #exchange} if it is not plain HTTP. */
  public @Nullable Supplier<SimTlsClient> talks;

  /** The files in memory; not for a world over a store. */
  public final MemorySite site;

  /** Nanoseconds that an answer of the files in memory takes at most; 0 for the next upcall. */
  public int siteDelayNanos;

  private final ArrayDeque<Runnable> held = new ArrayDeque<>();
  private boolean holding;

  public SessionWorld(long seed) {
    this(seed, HttpConfig.defaults());
  }

  public SessionWorld(long seed, HttpConfig config) {
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.clock = new SimClock();
    this.reactor = new SimReactor(clock);
    this.dispatcher = new Dispatcher(clock, reactor);
    this.site = new MemorySite(this::deliver);
    this.sessions = new Sessions(config, dispatcher, site, () -> {});
    dispatcher.adopt();
  }

  /** Sessions over another site on a simulated machine. */
  public SessionWorld(SimWorld world, HttpConfig config, Site other) {
    this.seed = world.seed();
    this.random = world.random().split();
    this.clock = world.clock();
    this.reactor = world.reactor();
    this.dispatcher = world.dispatcher();
    this.site = new MemorySite(this::deliver);
    this.sessions = new Sessions(config, dispatcher, other, () -> {});
  }

  /** From now on the files in memory answer nothing before they are told to. */
  public void holdSite() {
    holding = true;
  }

  /** Requests that the files in memory have not answered. */
  public int heldBySite() {
    return held.size();
  }

  /** Has the request answered that came first. */
  public void releaseOne() {
    dispatcher.post(held.removeFirst());
  }

  /** Has all requests answered, those that come, too. */
  public void releaseAll() {
    holding = false;
    while (!held.isEmpty()) {
      releaseOne();
    }
  }

  private void deliver(Runnable completion) {
    if (holding) {
      held.addLast(completion);
    } else if (siteDelayNanos == 0) {
      dispatcher.post(completion);
    } else {
      reactor.after(random.nextInt(siteDelayNanos), completion);
    }
  }

  /** A client with a connection whose kernel buffer holds so many bytes. */
  public SimConnection connect(int kernelBytes) {
    return connect("somebody", kernelBytes);
  }

  /** The same of somebody in particular. */
  public SimConnection connect(String client, int kernelBytes) {
    SimConnection connection = new SimConnection(dispatcher, reactor, random.split(), kernelBytes);
    connection.client = client;
    connection.peer = peer;
    connection.buffers = buffers;
    SocketConnection seen = over.apply(connection);
    HttpSession session = sessions.accept(seen);
    seen.listen(session);
    sessions.begin(session);
    seen.begin();
    return connection;
  }

  /** A client that reads all that comes. */
  public SimConnection connectReader() {
    SimConnection connection = connect(1 << 16);
    connection.clientReadsAll();
    return connection;
  }

  @Override
  public MemorySite site() {
    return site;
  }

  @Override
  public List<Responses.Response> exchange(String requests, int largestFragment) {
    SimConnection connection = connect(1 << 16);
    if (talks != null) {
      connection.clientTalks(talks.get());
    }
    connection.clientReadsAll();
    connection.clientSends(requests.getBytes(StandardCharsets.ISO_8859_1), largestFragment);
    connection.clientEnds();
    runUntil(() -> connection.closedReported() && connection.clientSawEnd());
    return Responses.parse(connection.clientGot(), n -> requests.startsWith("HEAD"), true);
  }

  @Override
  public HttpMetrics metrics() {
    return sessions.metrics();
  }

  @Override
  public void slowSite(int nanos) {
    siteDelayNanos = nanos;
  }

  public void runUntil(BooleanSupplier condition) {
    for (int turn = 0; turn < TURN_LIMIT; turn++) {
      if (condition.getAsBoolean()) {
        return;
      }
      dispatcher.turn(true);
      if (reactor.stalled() && !condition.getAsBoolean()) {
        throw new AssertionError("nothing left to happen, and not finished; seed " + seed);
      }
    }
    throw new AssertionError("not finished after " + TURN_LIMIT + " turns; seed " + seed);
  }

  public void runFor(long nanos) {
    boolean[] over = new boolean[1];
    reactor.after(nanos, () -> over[0] = true);
    runUntil(() -> over[0]);
  }

  /** Closes the gate and checks that nothing is left. */
  @Override
  public void close() {
    List<Completion<Unit>> closed = new ArrayList<>();
    sessions.close(closed::add);
    runUntil(() -> !closed.isEmpty());
    site.checkNothingHeld();
    if (sessions.size() != 0 || closed.size() != 1) {
      throw new AssertionError("gate closed with sessions inside; seed " + seed);
    }
    MachineStats stats = stats();
    long done =
        stats.taken().stream()
            .filter(move -> move.to().equals(HttpSessionState.DONE.name()))
            .mapToLong(MachineStats.Taken::count)
            .sum();
    if (stats.machines() != done) {
      throw new AssertionError(stats.machines() + " sessions, " + done + " done; seed " + seed);
    }
  }

  public MachineStats stats() {
    return dispatcher.recorder().statsOf(HttpSessionState.TRANSITIONS);
  }
}
