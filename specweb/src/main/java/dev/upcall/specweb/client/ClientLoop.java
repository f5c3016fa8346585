package dev.upcall.specweb.client;

import dev.upcall.specweb.load.LoadLoop;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
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
    return await(loop.submit(task::get));
  }

  /**
   * Runs something on the thread of each and waits for all results, in order; from another thread.
   * All are asked before any is waited for: where the threads are many and busy, each comes to it
   * late, and one after the other they would take so long that no window ended in time.
   *
   * @param task given the place of the loop
   */
  public static <T> List<T> callAll(List<ClientLoop> loops, IntFunction<T> task)
      throws InterruptedException {
    List<Future<T>> begun = new ArrayList<>();
    for (int i = 0; i < loops.size(); i++) {
      int place = i;
      begun.add(loops.get(i).loop.submit(() -> task.apply(place)));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> one : begun) {
      results.add(await(one));
    }
    return results;
  }

  private static <T> T await(Future<T> begun) throws InterruptedException {
    try {
      return begun.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load's thread failed", e.getCause());
    }
  }

  /** Ends the thread; clients are closed before. */
  @Override
  public void close() {
    closeAll(List.of(this));
  }

  /** Ends the threads of all at once; clients are closed before. */
  public static void closeAll(List<ClientLoop> loops) {
    loops.stream()
        .map(each -> each.group.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS))
        .toList()
        .forEach(io.netty.util.concurrent.Future::awaitUninterruptibly);
  }
}
