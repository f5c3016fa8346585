package dev.upcall.httpd.server;

import dev.upcall.httpd.socket.RingSockets;
import dev.upcall.io.volume.NettyReactor;
import java.util.Objects;

/** What carries the sockets of a server. */
public enum SocketKind {
  /** The ring of the disk, without channels. */
  RING,
  /** Channels of Netty on that ring: the kernel accepts one connection at a time. */
  IO_URING,
  /** Channels of Netty over epoll: this process may not use io_uring. */
  EPOLL,
  /** Channels of Netty over Java's selector: it has no epoll, either. */
  NIO,
  /** Sockets that block, with a thread for each. */
  THREADS;

  /** What carries those on a dispatcher with this reactor. */
  @SuppressWarnings("exports") // for those who have a reactor
  public static SocketKind of(NettyReactor reactor) {
    Objects.requireNonNull(reactor, "reactor");
    if (RingSockets.isPossible(reactor)) {
      return RING;
    }
    return switch (reactor.transport()) {
      case IO_URING -> IO_URING;
      case EPOLL -> EPOLL;
      case NIO -> NIO;
    };
  }
}
