package dev.upcall.httpd.server;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.Site;
import dev.upcall.httpd.session.FlushQueue;
import dev.upcall.httpd.session.HttpSession;
import dev.upcall.httpd.session.NettyConnection;
import dev.upcall.httpd.session.Sessions;
import dev.upcall.io.NettyReactor;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Serves a site over HTTP/1.1 and 1.0, on the dispatcher of the store and its event loop
 * (composition 1: one thread for sockets, sessions, store and disk). All methods are called on the
 * dispatcher's thread.
 */
public final class HttpServer {
  /** Connections over the limit that may be in the middle of being told so. */
  private static final int TURNED_AWAY_LIMIT = 64;

  private static final int SMALLEST_RECEIVE_BYTES = 512;
  private static final int FIRST_RECEIVE_BYTES = 2048;

  private final HttpConfig config;
  private final Dispatcher dispatcher;
  private final Sessions sessions;
  private final FlushQueue flushQueue;
  private @Nullable Channel listening;
  private boolean accepting = true;
  private boolean closing;

  private HttpServer(HttpConfig config, Dispatcher dispatcher, Site site) {
    this.config = config;
    this.dispatcher = dispatcher;
    this.sessions = new Sessions(config, dispatcher, site, this::acceptMore);
    this.flushQueue = new FlushQueue(dispatcher);
  }

  /**
   * Opens a server.
   *
   * @param reactor the dispatcher's
   * @param address where to listen; port 0 takes any free one
   * @param port gets the server once connections are accepted, or {@code Device} with the operating
   *     system's reason, or {@code Invalid}: a writable server of a site that cannot be changed
   */
  @SuppressWarnings("exports") // programs that call and wait take HttpService
  public static void open(
      HttpConfig config,
      Dispatcher dispatcher,
      NettyReactor reactor,
      Site site,
      InetSocketAddress address,
      CompletionPort<HttpServer> port) {
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(dispatcher, "dispatcher");
    Objects.requireNonNull(reactor, "reactor");
    Objects.requireNonNull(site, "site");
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(port, "port");
    dispatcher.checkOwner();
    if (config.requests().writable() && site.changes() == null) {
      Failure refused =
          new Failure.Invalid("this site cannot be changed, and requests.writable asks for it");
      dispatcher.complete(port, Completion.failed(refused));
      return;
    }
    new HttpServer(config, dispatcher, site).bind(reactor, address, port);
  }

  private void bind(
      NettyReactor reactor, InetSocketAddress address, CompletionPort<HttpServer> port) {
    AdaptiveRecvByteBufAllocator receive =
        new AdaptiveRecvByteBufAllocator(
            Math.min(SMALLEST_RECEIVE_BYTES, config.connections().receiveBufferBytes()),
            Math.min(FIRST_RECEIVE_BYTES, config.connections().receiveBufferBytes()),
            config.connections().receiveBufferBytes());
    ChannelFuture bound =
        new ServerBootstrap()
            .group(reactor.eventLoop())
            .channel(reactor.serverChannelClass())
            .option(ChannelOption.SO_BACKLOG, config.connections().backlog())
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, receive)
            // Gives chunks back that are wholly free; Netty's own choice keeps them.
            .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .childOption(ChannelOption.AUTO_READ, false) // see NettyConnection
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    accepted(channel);
                  }
                })
            .bind(address);
    bound.addListener(done -> dispatcher.post(() -> bound(bound, address, port)));
  }

  private void bound(
      ChannelFuture bound, InetSocketAddress address, CompletionPort<HttpServer> port) {
    Throwable cause = bound.cause();
    if (cause == null) {
      listening = bound.channel();
      port.complete(Completion.done(this));
    } else {
      String reason = String.valueOf(cause.getMessage());
      port.complete(Completion.failed(new Failure.Device("listening on " + address, reason)));
    }
  }

  /** Inside the event loop: only appends to the FIFO. */
  private void accepted(Channel channel) {
    NettyConnection connection = new NettyConnection(dispatcher, channel, flushQueue);
    channel.pipeline().addLast(connection);
    dispatcher.post(() -> begin(connection));
  }

  private void begin(NettyConnection connection) {
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
    Channel channel = listening;
    if (more != accepting && channel != null && !closing) {
      accepting = more;
      channel.config().setAutoRead(more);
    }
  }

  /** Where the server listens, with the port that it got. */
  public InetSocketAddress address() {
    Channel channel = listening;
    Invariants.check(channel != null, "the server was not opened");
    SocketAddress local = channel == null ? null : channel.localAddress();
    if (local instanceof InetSocketAddress address) {
      return address;
    }
    throw new IllegalStateException("not an internet address: " + local);
  }

  /** Counts as they are now. */
  public HttpMetrics metrics() {
    dispatcher.checkOwner();
    return sessions.metrics();
  }

  /**
   * Accepts no more, ends idle connections, lets the responses under way finish for a bounded time,
   * and completes when no connection is left. May be asked any number of times.
   */
  public void close(CompletionPort<Unit> port) {
    Objects.requireNonNull(port, "port");
    dispatcher.checkOwner();
    closing = true;
    Channel channel = listening;
    if (channel == null) {
      sessions.close(port);
    } else {
      channel.close().addListener(done -> dispatcher.post(() -> sessions.close(port)));
    }
  }
}
