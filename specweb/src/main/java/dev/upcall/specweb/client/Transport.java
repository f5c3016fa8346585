package dev.upcall.specweb.client;

import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.channel.uring.IoUringSocketChannel;
import java.util.Locale;
import java.util.stream.Stream;

/** What carries the sockets. The best that this machine has comes first. */
public enum Transport {
  /** Requests handed to the kernel in batches. */
  IO_URING,

  /** Readiness from the kernel, without the JDK between. */
  EPOLL,

  /** What the JDK has. */
  NIO;

  private static final int RING_ENTRIES = 1024;
  private static final int COMPLETION_ENTRIES = 16_384;

  /** The first that this process may use. */
  public static Transport best() {
    return Stream.of(values()).filter(Transport::isAvailable).findFirst().orElse(NIO);
  }

  /** Whether this process may use it. */
  public boolean isAvailable() {
    return switch (this) {
      case IO_URING -> IoUring.isAvailable();
      case EPOLL -> Epoll.isAvailable();
      case NIO -> true;
    };
  }

  /** What an event loop over it is made of. */
  IoHandlerFactory handlerFactory() {
    return switch (this) {
      case IO_URING -> {
        IoUringIoHandlerConfig config = new IoUringIoHandlerConfig().setRingSize(RING_ENTRIES);
        if (config.getCqSize() > 0) {
          config.setCqSize(COMPLETION_ENTRIES);
        }
        yield IoUringIoHandler.newFactory(config);
      }
      case EPOLL -> EpollIoHandler.newFactory();
      case NIO -> NioIoHandler.newFactory();
    };
  }

  /** A socket that is not connected. */
  SocketChannel newChannel() {
    return switch (this) {
      case IO_URING -> new IoUringSocketChannel();
      case EPOLL -> new EpollSocketChannel();
      case NIO -> new NioSocketChannel();
    };
  }

  /** Lets the kernel choose the port of a bound socket when it connects, where that can be said. */
  void chooseLate(SocketChannel channel) {
    if (this == EPOLL) {
      ChannelOption<Boolean> late = EpollChannelOption.IP_BIND_ADDRESS_NO_PORT;
      channel.config().setOption(late, true);
    }
  }

  /** As it is written on the command line and in reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
