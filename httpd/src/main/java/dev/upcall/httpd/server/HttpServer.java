package dev.upcall.httpd.server;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.session.HttpSession;
import dev.upcall.httpd.session.Sessions;
import dev.upcall.httpd.session.SocketConnection;
import dev.upcall.io.volume.NettyReactor;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Serves a site over HTTP/1.1 and 1.0, on one dispatcher and its event loop: that of the store
 * (composition 1: one thread for sockets, sessions, store and disk), or one of several in front of
 * it ({@link HttpThreads}). All methods are called on the dispatcher's thread.
 */
public final class HttpServer {
  /** Connections over the limit that may be in the middle of being told so. */
  private static final int TURNED_AWAY_LIMIT = 64;

  private final HttpConfig config;
  private final Dispatcher dispatcher;
  private final Sessions sessions;
  private final ListeningSocket listening;
  private boolean accepting = true;
  private boolean closing;

  private HttpServer(
      HttpConfig config, Dispatcher dispatcher, Site site, ListeningSocket listening) {
    this.config = config;
    this.dispatcher = dispatcher;
    this.listening = listening;
    this.sessions = new Sessions(config, dispatcher, site, this::acceptMore);
  }

  /**
   * Opens a server.
   *
   * @param reactor the dispatcher's
   * @param address where to listen; port 0 takes any free one
   * @param port gets the server once connections are accepted, or {@code Device} with the operating
   *     system's reason, or {@code Invalid}: a writable server of a site that cannot be changed, or
   *     more than one thread
   */
  @SuppressWarnings("exports") // programs that call and wait take HttpService
  public static void open(
      HttpConfig config,
      Dispatcher dispatcher,
      NettyReactor reactor,
      Site site,
      InetSocketAddress address,
      CompletionPort<HttpServer> port) {
    open(config, dispatcher, reactor, site, Endpoint.of(address), port);
  }

  /** The same, as an endpoint says. */
  @SuppressWarnings("exports") // programs that call and wait take HttpService
  public static void open(
      HttpConfig config,
      Dispatcher dispatcher,
      NettyReactor reactor,
      Site site,
      Endpoint endpoint,
      CompletionPort<HttpServer> port) {
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(dispatcher, "dispatcher");
    Objects.requireNonNull(reactor, "reactor");
    Objects.requireNonNull(site, "site");
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(port, "port");
    dispatcher.checkOwner();
    Failure refused = refused(config, site);
    if (refused != null) {
      dispatcher.complete(port, Completion.failed(refused));
      return;
    }
    ListeningSocket.bind(
        config,
        dispatcher,
        reactor,
        endpoint,
        bound ->
            port.complete(
                switch (bound) {
                  case Completion.Done<ListeningSocket>(ListeningSocket socket) ->
                      Completion.done(begun(config, dispatcher, site, socket));
                  case Completion.Failed<ListeningSocket>(Failure failure) ->
                      Completion.failed(failure);
                }));
  }

  /**
   * Opens a server on a socket that listens already, which is its from then on.
   *
   * @param port gets the server, or {@code Invalid} as {@link #open} says
   */
  public static void open(
      HttpConfig config,
      Dispatcher dispatcher,
      Site site,
      ListeningSocket listening,
      CompletionPort<HttpServer> port) {
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(dispatcher, "dispatcher");
    Objects.requireNonNull(site, "site");
    Objects.requireNonNull(listening, "listening");
    Objects.requireNonNull(port, "port");
    dispatcher.checkOwner();
    Failure refused = refused(config, site);
    dispatcher.complete(
        port,
        refused == null
            ? Completion.done(begun(config, dispatcher, site, listening))
            : Completion.failed(refused));
  }

  private static @Nullable Failure refused(HttpConfig config, Site site) {
    if (config.connections().threads() > 1) {
      return new Failure.Invalid("this is one thread, and connections.threads asks for more");
    }
    return config.requests().writable() && site.changes().isEmpty()
        ? new Failure.Invalid("this site cannot be changed, and requests.writable asks for it")
        : null;
  }

  private static HttpServer begun(
      HttpConfig config, Dispatcher dispatcher, Site site, ListeningSocket listening) {
    HttpServer server = new HttpServer(config, dispatcher, site, listening);
    listening.accept(server::accepted);
    return server;
  }

  private void accepted(SocketConnection connection) {
    if (sessions.isClosing()) {
      connection.refuse();
      return;
    }
    HttpSession session = sessions.accept(connection);
    connection.listen(session);
    sessions.begin(session);
    connection.begin();
    acceptMore();
  }

  /** Stops accepting while too many are being turned away; they wait in the kernel then. */
  private void acceptMore() {
    boolean more = sessions.size() < (long) config.connections().max() + TURNED_AWAY_LIMIT;
    if (more != accepting && !closing) {
      accepting = more;
      listening.accepting(more);
    }
  }

  /** Where the server listens, with the port that it got. */
  public InetSocketAddress address() {
    return listening.address();
  }

  /** What it listens with. */
  public ListeningSocket listening() {
    return listening;
  }

  /** Connections that were there when responses began to be the last, and still are. */
  public int leaving() {
    dispatcher.checkOwner();
    return sessions.leaving();
  }

  /** Connections on which nothing was asked so far. */
  public int unasked() {
    dispatcher.checkOwner();
    return sessions.unasked();
  }

  /** Connections on which something was asked, or half of it, that was not answered whole. */
  public int asked() {
    dispatcher.checkOwner();
    return sessions.asked();
  }

  /**
   * From now on each response says that it is the last of its connection. Connections are accepted
   * all the same: clients that keep theirs come over new ones, and find another server when there
   * is one.
   */
  public void makeResponsesLast() {
    dispatcher.checkOwner();
    sessions.makeResponsesLast();
  }

  /** Takes {@link #makeResponsesLast} back. */
  public void keepConnections() {
    dispatcher.checkOwner();
    sessions.keepConnections();
  }

  /** Counts as they are now. */
  public HttpMetrics metrics() {
    dispatcher.checkOwner();
    return listening.counted(sessions.metrics());
  }

  /**
   * Accepts no more, ends idle connections, lets the responses under way finish for a bounded time,
   * and completes when no connection is left. May be asked any number of times.
   */
  public void close(CompletionPort<Unit> port) {
    Objects.requireNonNull(port, "port");
    dispatcher.checkOwner();
    closing = true;
    listening.close(_ -> sessions.close(port));
  }
}
