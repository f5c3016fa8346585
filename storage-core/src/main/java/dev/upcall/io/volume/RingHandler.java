package dev.upcall.io.volume;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringIoHandlerConfig;
import io.netty.util.concurrent.ThreadAwareExecutor;

/**
 * Netty's handler of a ring, which ends when the kernel has nothing of it any more.
 *
 * <p>A ring always has a read of the descriptor by which it is woken in flight. At the end Netty
 * 4.2.18 queues one more behind a request that drains the ring; such a read goes to a worker of the
 * kernel, which looks up the descriptor only when it runs. The cancellation that Netty sends may
 * come before that, and nobody waits. Then the descriptor is closed and the memory given back, and
 * the worker reads eight bytes from whatever has been opened under the same number into whatever
 * lies there. For a wake-up that is pending, however, Netty waits; so here one always is.
 */
final class RingHandler implements IoHandler {
  private final Owner owner;
  private final IoHandler ring;

  private RingHandler(Owner owner, IoHandler ring) {
    this.owner = owner;
    this.ring = ring;
  }

  /** What makes handlers of rings of this configuration. */
  static IoHandlerFactory factory(IoUringIoHandlerConfig config) {
    IoHandlerFactory rings = IoUringIoHandler.newFactory(config);
    return loop -> {
      Owner owner = new Owner(loop);
      return new RingHandler(owner, rings.newHandler(owner));
    };
  }

  @Override
  public void initialize() {
    ring.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    return ring.run(context);
  }

  @Override
  public void prepareToDestroy() {
    ring.prepareToDestroy();
  }

  @Override
  public void destroy() {
    // A ring takes no wake-up from its own thread.
    owner.absent = true;
    ring.wakeup();
    owner.absent = false;
    ring.destroy();
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return ring.register(handle);
  }

  @Override
  public void wakeup() {
    ring.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return ring.isCompatible(handleType);
  }

  /** The loop, which for a moment can say that nobody is its thread. */
  private static final class Owner implements ThreadAwareExecutor {
    private final ThreadAwareExecutor loop;

    /** Set and cleared by the loop's thread; whoever else asks is told no anyway. */
    private boolean absent;

    private Owner(ThreadAwareExecutor loop) {
      this.loop = loop;
    }

    @Override
    public boolean isExecutorThread(Thread thread) {
      return !absent && loop.isExecutorThread(thread);
    }

    @Override
    public void execute(Runnable command) {
      loop.execute(command);
    }
  }
}
