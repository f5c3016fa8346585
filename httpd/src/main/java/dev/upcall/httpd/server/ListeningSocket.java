package dev.upcall.httpd.server;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.httpd.HttpConfig;
import dev.upcall.httpd.HttpMetrics;
import dev.upcall.httpd.session.FlushQueue;
import dev.upcall.httpd.session.NettyConnection;
import dev.upcall.httpd.session.RingConnection;
import dev.upcall.httpd.session.SocketConnection;
import dev.upcall.httpd.socket.OneReceive;
import dev.upcall.httpd.socket.RingAcceptor;
import dev.upcall.httpd.socket.RingSockets;
import dev.upcall.httpd.tls.TlsService;
import dev.upcall.io.volume.NettyReactor;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.UnixChannel;
import io.netty.channel.unix.UnixChannelOption;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A socket that listens for one server. Until the server begins, connections are made and wait in
 * the kernel. Dispatcher's thread.
 *
 * <p>A second process of the same user can listen on the address of a first one and take all
 * connections that begin from then on, without one being lost: {@link #share} in the first, {@link
 * #bindBeside} in the second; then the first accepts what is still {@link #waiting} and closes, or
 * takes all back.
 */
public final class ListeningSocket {
  private static final int SMALLEST_RECEIVE_BYTES = 512;
  private static final int FIRST_RECEIVE_BYTES = 2048;

  private static final int IPPROTO_TCP = 6;
  private static final ChannelOption<Integer> NO_DELAY =
      new IntegerUnixChannelOption("TCP_NODELAY", IPPROTO_TCP, 1);

  private final HttpConfig config;
  private final Dispatcher dispatcher;
  private final NettyReactor reactor;
  private final Endpoint endpoint;
  private final FlushQueue flushQueue;

  /** The TLS that clients must speak, or null where they speak plain HTTP. */
  private final @Nullable TlsService tls;

  private @Nullable Channel channel;
  private @Nullable Consumer<SocketConnection> accepted;

  /** Who accepts, where the loop's ring does; null where Netty does. */
  private @Nullable RingAcceptor acceptor;

  private ListeningSocket(
      HttpConfig config, Dispatcher dispatcher, NettyReactor reactor, Endpoint endpoint) {
    this.config = config;
    this.dispatcher = dispatcher;
    this.reactor = reactor;
    this.endpoint = endpoint;
    this.flushQueue = new FlushQueue(dispatcher);
    this.tls = endpoint.tls().map(tls -> tls.service(config, dispatcher, flushQueue)).orElse(null);
  }

  /**
   * Begins to listen; accepts nothing yet.
   *
   * @param port gets it, or {@code Device} with the operating system's reason
   */
  static void bind(
      HttpConfig config,
      Dispatcher dispatcher,
      NettyReactor reactor,
      Endpoint endpoint,
      CompletionPort<ListeningSocket> port) {
    ListeningSocket socket = new ListeningSocket(config, dispatcher, reactor, endpoint);
    socket.bind(socket.bootstrap(), port);
  }

  /**
   * Begins to listen where another process of the same user does that lets it ({@link #share}), and
   * takes all connections that begin from then on; accepts nothing yet.
   *
   * @param port gets it, or {@code Device} with the operating system's reason
   */
  @SuppressWarnings("exports") // for those who have a reactor
  public static void bindBeside(
      HttpConfig config,
      Dispatcher dispatcher,
      NettyReactor reactor,
      Endpoint endpoint,
      CompletionPort<ListeningSocket> port) {
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(dispatcher, "dispatcher");
    Objects.requireNonNull(reactor, "reactor");
    Objects.requireNonNull(endpoint, "endpoint");
    Objects.requireNonNull(port, "port");
    dispatcher.checkOwner();
    ListeningSocket socket = new ListeningSocket(config, dispatcher, reactor, endpoint);
    ServerBootstrap beside = socket.bootstrap().option(UnixChannelOption.SO_REUSEPORT, true);
    socket.bind(beside, bound -> port.complete(takingAll(bound)));
  }

  /**
   * Begins to listen where others of this process do, which let it ({@link #share}), and gets its
   * part of the connections that begin from then on; accepts nothing yet.
   *
   * @param port gets it, or {@code Device} with the operating system's reason
   */
  static void bindAmong(
      HttpConfig config,
      Dispatcher dispatcher,
      NettyReactor reactor,
      Endpoint endpoint,
      CompletionPort<ListeningSocket> port) {
    dispatcher.checkOwner();
    ListeningSocket socket = new ListeningSocket(config, dispatcher, reactor, endpoint);
    ServerBootstrap among = socket.bootstrap().option(UnixChannelOption.SO_REUSEPORT, true);
    socket.bind(among, port);
  }

  private static Completion<ListeningSocket> takingAll(Completion<ListeningSocket> bound) {
    if (bound instanceof Completion.Done<ListeningSocket>(ListeningSocket socket)) {
      try {
        SharedAddress.giveAll(socket.channel(), SharedAddress.SECOND);
      } catch (ChannelException refused) {
        socket.channel().close();
        return Completion.failed(
            new Failure.Device(
                "listening on " + socket.endpoint.address(), String.valueOf(refused.getMessage())));
      }
    }
    return bound;
  }

  private ServerBootstrap bootstrap() {
    AdaptiveRecvByteBufAllocator sizes =
        new AdaptiveRecvByteBufAllocator(
            Math.min(SMALLEST_RECEIVE_BYTES, config.connections().receiveBufferBytes()),
            Math.min(FIRST_RECEIVE_BYTES, config.connections().receiveBufferBytes()),
            config.connections().receiveBufferBytes());
    boolean epoll = reactor.transport() == NettyReactor.Transport.EPOLL;
    RecvByteBufAllocator receive = epoll ? new OneReceive(sizes) : sizes;
    return new ServerBootstrap()
        .group(reactor.eventLoop())
        .channel(reactor.serverChannelClass())
        .option(ChannelOption.SO_BACKLOG, config.connections().backlog())
        .option(ChannelOption.SO_REUSEADDR, true)
        .option(ChannelOption.AUTO_READ, false) // until there is a server
        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
        .childOption(ChannelOption.RECVBUF_ALLOCATOR, receive)
        // Gives chunks back that are wholly free; Netty's own choice keeps them.
        .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        .childOption(ChannelOption.AUTO_READ, false) // see NettyConnection
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel child) {
                acceptedByNetty(child);
              }
            });
  }

  /** Inside the event loop: only appends to the FIFO. */
  private void acceptedByNetty(Channel child) {
    NettyConnection connection = new NettyConnection(dispatcher, child, flushQueue);
    child.pipeline().addLast(connection);
    dispatcher.post(() -> accepted(connection));
  }

  private void accepted(SocketConnection connection) {
    Invariants.present(accepted, "a server")
        .accept(tls == null ? connection : tls.over(connection));
  }

  private void bind(ServerBootstrap bootstrap, CompletionPort<ListeningSocket> port) {
    ChannelFuture bound = bootstrap.bind(endpoint.address());
    bound.addListener(done -> dispatcher.post(() -> bound(bound, port)));
  }

  private void bound(ChannelFuture bound, CompletionPort<ListeningSocket> port) {
    Throwable cause = bound.cause();
    if (cause == null) {
      channel = bound.channel();
      port.complete(Completion.done(this));
    } else {
      String reason = String.valueOf(cause.getMessage());
      port.complete(
          Completion.failed(new Failure.Device("listening on " + endpoint.address(), reason)));
    }
  }

  private Channel channel() {
    return Invariants.present(channel, "a socket that listens");
  }

  /** Begins to accept; the consumer is run in upcalls. Once. */
  void accept(Consumer<SocketConnection> to) {
    Invariants.check(accepted == null, "a socket has one server");
    accepted = to;
    if (RingSockets.isPossible(reactor) && channel() instanceof UnixChannel listening) {
      channel().config().setOption(NO_DELAY, 1); // which those that are accepted inherit
      int receiveBytes = config.connections().receiveBufferBytes();
      RingSockets sockets = new RingSockets(dispatcher, reactor, receiveBytes);
      acceptor =
          sockets.acceptor(
              listening.fd().intValue(),
              socket -> accepted(new RingConnection(socket, flushQueue)));
    }
    accepting(true);
  }

  /** Whether connections are accepted, or wait in the kernel. */
  void accepting(boolean on) {
    if (acceptor == null) {
      channel().config().setAutoRead(on);
    } else {
      acceptor.accepting(on);
    }
  }

  /** Where it listens, with the port that it got. */
  public InetSocketAddress address() {
    SocketAddress local = channel().localAddress();
    if (local instanceof InetSocketAddress address) {
      return address;
    }
    throw new IllegalStateException("not an internet address: " + local);
  }

  /**
   * Lets other processes of the same user listen on its address, too.
   *
   * @return why that is not possible; empty when it is done
   */
  public Optional<String> share() {
    dispatcher.checkOwner();
    if (!(channel() instanceof UnixChannel)) {
      return Optional.of("its sockets are Java's own: neither io_uring nor epoll is there");
    }
    try {
      channel().config().setOption(UnixChannelOption.SO_REUSEPORT, true);
      return Optional.empty();
    } catch (ChannelException refused) {
      return Optional.of(String.valueOf(refused.getMessage()));
    }
  }

  /**
   * Gets the connections that begin from now on again, whoever else has listened there meanwhile.
   */
  public void takeBack() {
    dispatcher.checkOwner();
    try {
      SharedAddress.giveAll(channel(), SharedAddress.FIRST);
    } catch (ChannelException alone) {
      // Nobody has: it has got them all the time.
    }
  }

  /** How many connections are made and not accepted; 0 where the system does not say. */
  public int waiting() {
    dispatcher.checkOwner();
    return channel() instanceof UnixChannel && channel().isOpen()
        ? SharedAddress.waiting(channel())
        : 0;
  }

  /** Counts of its server, with those of handshakes. */
  HttpMetrics counted(HttpMetrics metrics) {
    return tls == null ? metrics : tls.counted(metrics);
  }

  /** Listens no more; completes when the address is free. May be asked any number of times. */
  void close(CompletionPort<Unit> port) {
    dispatcher.checkOwner();
    if (acceptor == null) {
      closeChannel(port);
    } else {
      acceptor.close(() -> closeChannel(port));
    }
  }

  private void closeChannel(CompletionPort<Unit> port) {
    channel().close().addListener(done -> dispatcher.post(() -> port.complete(Completion.done())));
  }
}
