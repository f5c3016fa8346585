package dev.upcall.specweb.client;

import dev.upcall.specweb.load.LoadLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A thread with an event loop for clients and their workers. */
public final class ClientLoop implements LoadLoop, AutoCloseable {
  private static final long CLOSE_SECONDS = 10;

  private final Transport transport;
  private final MultiThreadIoEventLoopGroup group;
  private final EventLoop loop;

  /** Starts a thread. */
  public ClientLoop(Transport transport) {
    this.transport = transport;
    group =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("specweb load", true), transport.handlerFactory());
    loop = group.next();
  }

  Transport transport() {
    return transport;
  }

  EventLoop eventLoop() {
    return loop;
  }

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void at(long nanos, Runnable task) {
    long delay = nanos - System.nanoTime();
    if (delay <= 0) {
      loop.execute(task);
    } else {
      loop.schedule(task, delay, TimeUnit.NANOSECONDS);
    }
  }

  /** Runs something on this thread and waits for its result; from another thread. */
  public <T> T call(Supplier<T> task) throws InterruptedException {
    try {
      return loop.submit(task::get).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load's thread failed", e.getCause());
    }
  }

  /** Ends the thread; clients are closed before. */
  @Override
  public void close() {
    group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
