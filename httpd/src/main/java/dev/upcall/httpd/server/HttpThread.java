package dev.upcall.httpd.server;

import dev.upcall.UpcallException;
import dev.upcall.base.ThreadEnd;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.EndWatch;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCounters;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.relay.Relay;
import dev.upcall.httpd.relay.RelayedSite;
import dev.upcall.io.volume.NettyReactor;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A dispatcher on a thread of its own, with a loop, a listening socket and sessions, for a site
 * that lives on another one. Neither outlives a failure of the other: a bug in a session is a bug
 * in the server, as it is where both are one.
 *
 * <p>Where nothing else is said, methods are called by a thread that may wait.
 */
final class HttpThread {
  private static final int DOOR_CAPACITY = 16;

  /** The part of what all sessions may lease that is for slices which come unasked. */
  private static final int FIRST_SLICES_PART = 4;

  private final Dispatcher home;
  private final Site site;
  private final NettyReactor reactor;
  private final Dispatcher dispatcher;
  private final Relay relay;
  private final Blocking blocking;
  private final Thread thread;
  private final EndWatch homeEnds;

  /** What listens here; this thread's, and of those who heard from it that it does. */
  private @Nullable HttpServer server;

  /** What was counted when it closed; the home's. */
  private @Nullable HttpMetrics last;

  /**
   * Starts the thread.
   *
   * @param number which one it is, from 1 on
   * @param home where the site lives
   * @param reactors gives what it turns around
   */
  HttpThread(int number, Dispatcher home, Site site, Supplier<NettyReactor> reactors) {
    this.home = home;
    this.site = site;
    this.reactor = reactors.get();
    String name = "upcall-http-" + number;
    this.dispatcher = new Dispatcher(home.clock(), reactor, home.config().withName(name));
    this.relay = new Relay(dispatcher, home);
    this.blocking = new Blocking(new RequestDoor(name, DOOR_CAPACITY, dispatcher));
    this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    this.homeEnds = new EndWatch(home, dispatcher::stop);
    thread.start();
  }

  private void run() {
    try {
      dispatcher.run();
    } finally {
      tellOfFailure();
      homeEnds.close();
      dispatcher.close();
    }
  }

  private void tellOfFailure() {
    dispatcher
        .failure()
        .ifPresent(
            failure ->
                home.offer(
                    () -> {
                      throw new IllegalStateException(
                          failure.dispatcher() + " failed", failure.error());
                    }));
  }

  private <T> T await(Consumer<CompletionPort<T>> request) {
    return UpcallException.value(blocking.<T>await(request));
  }

  private <T> T call(Supplier<T> work) {
    return await(port -> dispatcher.complete(port, Completion.done(work.get())));
  }

  /**
   * Serves on an address of its own, and lets others share it.
   *
   * @param limits those of one thread
   * @return why nobody else can, or nothing
   */
  Optional<String> openFirst(HttpConfig limits, Endpoint endpoint) {
    HttpConfig shared = withFirstSlices(limits);
    RelayedSite relayed = relayed(limits);
    server =
        this.<HttpServer>await(
            port -> HttpServer.open(shared, dispatcher, reactor, relayed, endpoint, port));
    return call(() -> server().listening().share());
  }

  /** Serves on the address of the first one. */
  void openNext(HttpConfig limits, Endpoint endpoint) {
    HttpConfig shared = withFirstSlices(limits);
    RelayedSite relayed = relayed(limits);
    ListeningSocket socket =
        this.<ListeningSocket>await(
            port -> ListeningSocket.bindAmong(shared, dispatcher, reactor, endpoint, port));
    server =
        this.<HttpServer>await(port -> HttpServer.open(shared, dispatcher, relayed, socket, port));
  }

  private static int firstSlices(HttpConfig limits) {
    long bytes = limits.responses().maxLeasedBytes() / FIRST_SLICES_PART;
    return Math.toIntExact(Math.min(bytes / HttpConfig.SLICE_BYTES, 1 << 16));
  }

  private static HttpConfig withFirstSlices(HttpConfig limits) {
    long bytes = (long) firstSlices(limits) * HttpConfig.SLICE_BYTES;
    return limits.withMaxLeasedBytes(limits.responses().maxLeasedBytes() - bytes);
  }

  private RelayedSite relayed(HttpConfig limits) {
    return new RelayedSite(relay, site, firstSlices(limits));
  }

  private HttpServer server() {
    HttpServer present = server;
    if (present == null) {
      throw new IllegalStateException("a thread that serves nothing yet");
    }
    return present;
  }

  /** Where it listens. */
  InetSocketAddress address() {
    return call(() -> server().address());
  }

  /** Counts as they are now; on the home's thread, where the consumer is run, later or at once. */
  void metrics(Consumer<HttpMetrics> then) {
    HttpMetrics counted = last;
    if (counted != null) {
      then.accept(counted);
      return;
    }
    boolean asked =
        dispatcher.offer(
            () -> {
              HttpMetrics counts = server().metrics();
              home.offer(() -> then.accept(counts));
            });
    if (!asked) {
      // It has closed, and its last counts are on their way, before this.
      home.execute(() -> then.accept(last == null ? new HttpCounters().snapshot() : last));
    }
  }

  /** Accepts no more and lets what is under way end; does not wait for that. */
  void beginClose() {
    dispatcher.offer(
        () -> {
          if (server != null) {
            server.close(_ -> {});
          }
        });
  }

  /** Ends when no connection is left and all that was held at home has been given back there. */
  void close() {
    try {
      if (server != null) {
        this.<Unit>await(server()::close);
        HttpMetrics counts = call(() -> server().metrics());
        home.offer(() -> last = counts);
      }
      this.<Unit>await(relay::settle);
    } finally {
      dispatcher.stop();
      ThreadEnd.await(thread);
    }
  }
}
