package dev.upcall.io.volume;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Netty's handler of epoll, for sockets of a process that may not use io_uring, which loses no
 * wake-up and no socket. Theirs takes one into account only from the moment on at which it prepares
 * to wait, and then looks at the loop's own tasks alone: what another thread has put into the
 * dispatcher's queue just before would lie there. So it is asked here, too, before it waits.
 *
 * <p>The only class that names Netty's epoll, which a program may leave out.
 */
final class EpollHandler implements IoHandler {
  private final IoHandler epoll;
  private final Waiting waiting = new Waiting();

  /** Set by whoever wakes; cleared by the loop's thread, which then looks at its queue. */
  private volatile boolean woken;

  private EpollHandler(IoHandler epoll) {
    this.epoll = epoll;
  }

  /** Why this process cannot use epoll, or null if it can. */
  static @Nullable String unavailable() {
    try {
      return Epoll.isAvailable() ? null : NettyReactor.root(Epoll.unavailabilityCause());
    } catch (NoClassDefFoundError leftOut) {
      return "netty-transport-native-epoll is not among the libraries of this program";
    }
  }

  /** Makes the handlers of loops. */
  static IoHandlerFactory factory() {
    IoHandlerFactory handlers = EpollIoHandler.newFactory();
    return loop -> new EpollHandler(handlers.newHandler(loop));
  }

  /** The class of sockets that listen. */
  static Class<? extends ServerChannel> servers() {
    return EpollServerSocketChannel.class;
  }

  @Override
  public void initialize() {
    epoll.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    waiting.loop = context;
    try {
      return epoll.run(waiting);
    } finally {
      woken = false;
    }
  }

  @Override
  public void prepareToDestroy() {
    epoll.prepareToDestroy();
  }

  @Override
  public void destroy() {
    epoll.destroy();
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return new Kept(epoll.register(handle));
  }

  @Override
  public void wakeup() {
    woken = true; // before the handler decides whether somebody waits
    epoll.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return epoll.isCompatible(handleType);
  }

  /**
   * A socket's place in epoll. One that waits for nothing for a while (its client has ended, and
   * what it sent is read later) loses that place in Netty 4.2.18, which then cannot find it. So it
   * keeps one at which nothing is told but a reset, once.
   */
  private record Kept(IoRegistration inner) implements IoRegistration {
    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Netty's
    public <T> T attachment() {
      return inner.attachment();
    }

    @Override
    public long submit(IoOps ops) {
      return inner.submit(ops.equals(EpollIoOps.NONE) ? EpollIoOps.EPOLLET : ops);
    }

    @Override
    public boolean isValid() {
      return inner.isValid();
    }

    @Override
    public boolean cancel() {
      return inner.cancel();
    }
  }

  /** The loop's answers about a wait, unless somebody has woken it. */
  private final class Waiting implements IoHandlerContext {
    private @Nullable IoHandlerContext loop;

    private IoHandlerContext loop() {
      return Objects.requireNonNull(loop, "a run");
    }

    @Override
    public boolean canBlock() {
      return !woken && loop().canBlock();
    }

    @Override
    public long delayNanos(long currentTimeNanos) {
      return loop().delayNanos(currentTimeNanos);
    }

    @Override
    public long deadlineNanos() {
      return loop().deadlineNanos();
    }

    @Override
    public boolean shouldReportActiveIoTime() {
      return loop().shouldReportActiveIoTime();
    }

    @Override
    public void reportActiveIoTime(long activeNanos) {
      loop().reportActiveIoTime(activeNanos);
    }
  }
}
