package dev.upcall.httpd.server;

import dev.upcall.httpd.socket.RingSockets;
import dev.upcall.io.volume.NettyReactor;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.util.Objects;

/** What carries the sockets of a server. */
public enum SocketKind {
  /** The ring of the disk, without channels. */
  RING,
  /** Channels of Netty on that ring: the kernel accepts one connection at a time. */
  IO_URING,
  /** Channels of Netty over a selector: this process may not use io_uring. */
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
    return reactor.serverChannelClass() == IoUringServerSocketChannel.class ? IO_URING : NIO;
  }
}
