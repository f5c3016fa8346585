package dev.upcall.httpd.blocking;

import dev.upcall.Engine;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of a server, one for each connection: virtual ones as they come, or platform threads,
 * of which one that has nothing to do waits a while for the next connection.
 */
final class ServingThreads {
  private static final long KEPT_SECONDS = 10;

  private final AtomicInteger serving = new AtomicInteger();
  private final ExecutorService executor;

  ServingThreads(Engine engine) {
    this.executor =
        engine == Engine.VIRTUAL
            ? Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("upcall-http ", 0).factory())
            : new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                KEPT_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("upcall-http ", 0).factory());
  }

  /** Runs something on a thread of its own; false if the machine gives no more threads. */
  boolean run(Runnable work) {
    serving.incrementAndGet();
    try {
      executor.execute(
          () -> {
            try {
              work.run();
            } finally {
              serving.decrementAndGet();
            }
          });
      return true;
    } catch (OutOfMemoryError noThread) {
      // What the JVM says when the operating system refuses a thread; nothing was begun.
      serving.decrementAndGet();
      return false;
    }
  }

  /** How many serve now. */
  int size() {
    return serving.get();
  }

  /** Begins no more. */
  void shutdown() {
    executor.shutdown();
  }

  /** Waits for a while until all have ended; whether they have. An interrupt stays pending. */
  boolean awaitEnd(long nanos) {
    boolean interrupted = Thread.interrupted();
    try {
      return executor.awaitTermination(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException during) {
      interrupted = true;
      return false;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
