package dev.upcall.httpd.server;

import dev.upcall.FsmUpcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.Site;
import dev.upcall.io.volume.NettyReactor;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server over an embedded store, for programs that call and wait. It runs on the store's
 * thread ({@link HttpServer}), or with {@link HttpConfig#withThreads} on several of its own ({@link
 * HttpThreads}); the methods may be called from any other. Close it before the store.
 */
public final class HttpService implements AutoCloseable {
  private static final int DOOR_CAPACITY = 16;

  private final Dispatcher dispatcher;
  private final Blocking blocking;
  private final @Nullable HttpServer server;
  private final @Nullable HttpThreads threads;
  private final AtomicBoolean closed = new AtomicBoolean();

  private HttpService(
      FsmUpcall store, NettyReactor reactor, HttpConfig config, Site site, Endpoint endpoint) {
    this.dispatcher = store.fileManager().dispatcher();
    this.blocking = new Blocking(new RequestDoor("http server", DOOR_CAPACITY, dispatcher));
    HttpConfig limits = config.withinMemory(store.config().memoryBytes());
    if (limits.connections().threads() > 1) {
      this.server = null;
      this.threads = HttpThreads.start(dispatcher, site, limits, endpoint);
    } else {
      this.threads = null;
      this.server =
          this.<HttpServer>call(
              port -> HttpServer.open(limits, dispatcher, reactor, site, endpoint, port));
    }
  }

  /**
   * Serves all files of a store. All connections together hold at most a quarter of the store's
   * memory, whatever the configuration says.
   *
   * @param address where to listen; port 0 takes any free one
   * @throws UpcallException {@code Device} with the operating system's reason if that is
   *     impossible; {@code Invalid} when several threads are asked for and there is neither
   *     io_uring nor epoll
   */
  public static HttpService start(FsmUpcall store, HttpConfig config, InetSocketAddress address) {
    Objects.requireNonNull(store, "store");
    return start(store, Site.of(store.fileManager()), config, address);
  }

  /**
   * As {@link #start(FsmUpcall, HttpConfig, InetSocketAddress)} for another site on that thread.
   */
  public static HttpService start(
      FsmUpcall store, Site site, HttpConfig config, InetSocketAddress address) {
    return start(store, site, config, Endpoint.of(address));
  }

  /** The same, as an endpoint says: with TLS, say. */
  public static HttpService start(
      FsmUpcall store, Site site, HttpConfig config, Endpoint endpoint) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(site, "site");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(endpoint, "endpoint");
    if (store.reactor() instanceof NettyReactor reactor) {
      return new HttpService(store, reactor, config, site, endpoint);
    }
    throw UpcallException.of(new Failure.Invalid("this store's thread carries no sockets"));
  }

  /** Where the server listens, with the port that it got. */
  public InetSocketAddress address() {
    return threads == null
        ? call(port -> dispatcher.complete(port, Completion.done(server().address())))
        : threads.address();
  }

  /**
   * The server itself, for code on the store's own thread.
   *
   * @throws IllegalStateException if it has threads of its own
   */
  public HttpServer server() {
    if (server == null) {
      throw new IllegalStateException(
          "this server is on several threads, none of them the store's");
    }
    return server;
  }

  /** Counts as they are now. */
  public HttpMetrics metrics() {
    return call(this::metrics);
  }

  /** The same for code on the store's own thread. */
  public void metrics(CompletionPort<HttpMetrics> port) {
    Objects.requireNonNull(port, "port");
    if (threads == null) {
      dispatcher.complete(port, Completion.done(server().metrics()));
    } else {
      threads.metrics(port);
    }
  }

  /**
   * See {@link HttpServer#close}; returns when no connection is left. A second call waits for
   * nothing.
   */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      if (threads == null) {
        this.<Unit>call(server()::close);
      } else {
        threads.close();
      }
    }
  }

  private <T> T call(Consumer<CompletionPort<T>> request) {
    return UpcallException.value(blocking.<T>await(request));
  }
}
