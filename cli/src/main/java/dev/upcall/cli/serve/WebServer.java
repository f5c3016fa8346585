package dev.upcall.cli.serve;

import dev.upcall.Engine;
import dev.upcall.FileSnapshot;
import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.cli.admin.AdminPages;
import dev.upcall.cli.admin.HttpSource;
import dev.upcall.cli.admin.LimitsPage;
import dev.upcall.cli.admin.ThreadPages;
import dev.upcall.cli.failover.Departure;
import dev.upcall.cli.option.CommandFailure;
import dev.upcall.cli.option.ListenAddress;
import dev.upcall.cli.queue.QueueService;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.feed.Recording;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.blocking.BlockingServer;
import dev.upcall.httpd.blocking.BlockingSite;
import dev.upcall.httpd.server.Endpoint;
import dev.upcall.httpd.server.HttpServer;
import dev.upcall.httpd.server.HttpService;
import dev.upcall.httpd.server.ListeningSocket;
import dev.upcall.httpd.server.SocketKind;
import dev.upcall.io.volume.NettyReactor;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server of a store, for a caller that waits: sessions on the store's own thread or on
 * several in front of it, or with an engine of threads a thread for each connection.
 */
public final class WebServer implements AutoCloseable {
  private final Endpoint endpoint;
  private final Counts counts;
  private final Runnable closer;
  private final @Nullable HttpServer machines;
  private boolean closed;

  /**
   * Who knows what it has counted.
   *
   * @param waiting for who waits, on another thread than the store's
   * @param atStore for who asks on that
   */
  private record Counts(Supplier<HttpMetrics> waiting, HttpSource atStore) {}

  private WebServer(
      Endpoint endpoint, Counts counts, Runnable closer, @Nullable HttpServer machines) {
    this.endpoint = endpoint;
    this.counts = counts;
    this.closer = closer;
    this.machines = machines;
  }

  /**
   * Serves the files of a store; a taken port is a clear failure.
   *
   * @param snapshot as of which snapshot, which stays open as long as the store, or null
   */
  public static WebServer open(
      Upcall store, @Nullable String snapshot, InetSocketAddress wanted, HttpConfig limits) {
    return open(store, snapshot, Endpoint.of(wanted), limits, null);
  }

  /**
   * The same, as an endpoint says.
   *
   * @param bound what listens there already on the store's thread, or null
   */
  public static WebServer open(
      Upcall store,
      @Nullable String snapshot,
      Endpoint endpoint,
      HttpConfig limits,
      @Nullable ListeningSocket bound) {
    InetSocketAddress wanted = endpoint.address();
    if (store.config().engine() != Engine.FSM) {
      return ofThreads(
          () -> BlockingServer.start(store, limits, wanted), wanted, ListenAddress.OPTIONS);
    }
    FsmUpcall machines = store.fsm();
    Site site = snapshot == null ? Site.of(machines.fileManager()) : siteOf(machines, snapshot);
    if (limits.connections().threads() > 1) {
      return several(machines, site, endpoint, limits);
    }
    HttpConfig fitting = limits.withinMemory(store.config().memoryBytes());
    return bound == null
        ? open(machines, site, endpoint, limits, ListenAddress.OPTIONS)
        : opened(
            machines,
            endpoint,
            machines.await(
                port ->
                    HttpServer.open(
                        fitting, machines.fileManager().dispatcher(), site, bound, port)),
            failure -> cannotListen(wanted, reason(failure), ListenAddress.OPTIONS));
  }

  private static WebServer several(
      FsmUpcall store, Site site, Endpoint endpoint, HttpConfig limits) {
    try {
      HttpService service = HttpService.start(store, site, limits, endpoint);
      Counts counts = new Counts(service::metrics, HttpSource.of(service).carriedBy(of(store)));
      return new WebServer(
          new Endpoint(service.address(), endpoint.tls()), counts, service::close, null);
    } catch (UpcallException refused) {
      throw cannotListen(endpoint.address(), reason(refused.failure()), ListenAddress.OPTIONS);
    }
  }

  private static WebServer ofThreads(
      Supplier<BlockingServer> start, InetSocketAddress wanted, String options) {
    try {
      BlockingServer server = start.get();
      Counts counts = new Counts(server::metrics, HttpSource.of(server::metrics));
      return new WebServer(Endpoint.of(server.address()), counts, server::close, null);
    } catch (UpcallException refused) {
      throw cannotListen(wanted, reason(refused.failure()), options);
    }
  }

  private static Site siteOf(FsmUpcall store, String snapshot) {
    Completion<FileSnapshot> opened =
        store.await(port -> store.fileManager().snapshot(snapshot, port));
    return Site.ofReads(UpcallException.value(opened));
  }

  /**
   * What goes on at a store besides serving it.
   *
   * @param recording null where it is not recorded
   * @param queue null where no queue is done
   */
  record Beside(@Nullable Recording recording, @Nullable QueueService queue) {}

  /**
   * Answers what is asked about a store and the server of its files.
   *
   * @param beside what else is counted
   * @param stopping whether they are about to stop; from any thread
   * @param hosts see {@link dev.upcall.httpd.HttpPolicy#hosts}
   */
  static WebServer openAdmin(
      Upcall store,
      WebServer files,
      Beside beside,
      InetSocketAddress wanted,
      BooleanSupplier stopping,
      Set<String> hosts) {
    HttpConfig limits = AdminPages.limits();
    limits = limits.withPolicy(limits.policy().withHosts(hosts));
    return openAdmin(store, files, beside, wanted, stopping, limits);
  }

  private static WebServer openAdmin(
      Upcall store,
      WebServer files,
      Beside beside,
      InetSocketAddress wanted,
      BooleanSupplier stopping,
      HttpConfig limits) {
    Engine engine = store.config().engine();
    if (engine != Engine.FSM) {
      BlockingSite site =
          BlockingSite.ofPages(ThreadPages.of(store, files.counts.waiting, stopping));
      return ofThreads(
          () -> BlockingServer.start(site, limits, engine, wanted),
          wanted,
          ListenAddress.ADMIN_OPTIONS);
    }
    FsmUpcall machines = store.fsm();
    AdminPages pages =
        new AdminPages(
            machines.fileManager(),
            files.counts.atStore,
            () -> beside.recording() == null ? null : beside.recording().counts(),
            () -> beside.queue() == null ? null : beside.queue().metrics(),
            stopping);
    Site site = Site.ofPages(new LimitsPage(pages, machines.fileManager(), store.config()));
    return open(machines, site, Endpoint.of(wanted), limits, ListenAddress.ADMIN_OPTIONS);
  }

  /** Threads in front of the store's have what its thread has. */
  private static SocketKind of(FsmUpcall store) {
    return store.reactor() instanceof NettyReactor reactor
        ? SocketKind.of(reactor)
        : SocketKind.THREADS;
  }

  private static WebServer open(
      FsmUpcall store, Site site, Endpoint endpoint, HttpConfig limits, String options) {
    if (!(store.reactor() instanceof NettyReactor reactor)) {
      throw new IllegalStateException("the store's thread carries no sockets");
    }
    Completion<HttpServer> opened =
        store.await(
            port ->
                HttpServer.open(
                    limits.withinMemory(store.config().memoryBytes()),
                    store.fileManager().dispatcher(),
                    reactor,
                    site,
                    endpoint,
                    port));
    return opened(
        store,
        endpoint,
        opened,
        failure -> cannotListen(endpoint.address(), reason(failure), options));
  }

  private static WebServer opened(
      FsmUpcall store,
      Endpoint endpoint,
      Completion<HttpServer> opened,
      Function<Failure, CommandFailure> refusal) {
    return switch (opened) {
      case Completion.Done<HttpServer>(HttpServer server) -> {
        HttpSource source = HttpSource.of(server::metrics).carriedBy(of(store));
        Counts counts = new Counts(() -> at(store, server::metrics), source);
        Endpoint found = new Endpoint(at(store, server::address), endpoint.tls());
        yield new WebServer(found, counts, () -> close(store, server), server);
      }
      case Completion.Failed<HttpServer>(Failure failure) -> throw refusal.apply(failure);
    };
  }

  /** Fails as {@link #open} would when the address is taken or not this machine's. */
  static void checkFree(InetSocketAddress wanted, String options) {
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(wanted);
    } catch (IOException refused) {
      throw cannotListen(wanted, String.valueOf(refused.getMessage()), options);
    }
  }

  private static CommandFailure cannotListen(
      InetSocketAddress wanted, String reason, String options) {
    return CommandFailure.failed(
        "cannot listen on %s:%d (%s); choose another with %sport N or %sbind ADDR"
            .formatted(
                wanted.getAddress().getHostAddress(), wanted.getPort(), reason, options, options));
  }

  /**
   * How it can leave its address to another process; null when it cannot.
   *
   * @param drain what requests under way may still take
   * @param end lets it end, and the store close behind it
   */
  @Nullable Departure departure(Upcall store, Duration drain, Runnable end) {
    return machines == null ? null : new Departure(store.fsm(), machines, drain, end);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return endpoint.address();
  }

  /** The address that it is bound to. */
  String url() {
    InetAddress bound = address().getAddress();
    String host = bound.getHostAddress();
    if (bound instanceof Inet6Address) {
      host = bound.isAnyLocalAddress() ? "[::]" : "[" + host + "]";
    }
    String scheme = endpoint.tls().isEmpty() ? "http://" : "https://";
    return scheme + host + ":" + address().getPort() + "/";
  }

  /** Lets what is under way finish for a bounded time and ends all connections, once. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      closer.run();
    }
  }

  /** Closes, and says what was counted until the end. */
  HttpMetrics end() {
    close();
    return counts.waiting.get();
  }

  /** What is so on the store's thread. */
  private static <T> T at(FsmUpcall store, Supplier<T> what) {
    Dispatcher dispatcher = store.fileManager().dispatcher();
    return UpcallException.value(
        store.<T>await(port -> dispatcher.complete(port, Completion.done(what.get()))));
  }

  private static void close(FsmUpcall store, HttpServer server) {
    Completion<Unit> closed = store.await(server::close);
    if (closed instanceof Completion.Failed<Unit>(Failure failure)) {
      throw CommandFailure.failed("stopping the server: " + failure.message());
    }
  }

  private static String reason(Failure failure) {
    return failure instanceof Failure.Device device ? device.detail() : failure.message();
  }

  /** The requests that its end has cut off, for a message. */
  static String cutOff(HttpMetrics counts) {
    long all = counts.of(HttpCount.CUT_DOWNLOADS) + counts.of(HttpCount.CUT_UPLOADS);
    return all == 0
        ? ""
        : "; cut off: %d downloads, %d uploads"
            .formatted(counts.of(HttpCount.CUT_DOWNLOADS), counts.of(HttpCount.CUT_UPLOADS));
  }
}
