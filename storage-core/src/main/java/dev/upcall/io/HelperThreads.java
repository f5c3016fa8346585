package dev.upcall.io;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Threads for what blocks again and again: each is kept for a while, since to start one waits until
 * it runs, which on busy processors takes milliseconds. The dispatcher's thread.
 */
final class HelperThreads {
  /** Longer than the pause between two looks at a volume, which any change brings about. */
  private static final long IDLE_SECONDS = 10;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Thread.ofPlatform().daemon().name("upcall-helper-", 0).factory());

  /** As {@link HelperThread#run}, on a thread that is idle, if there is one. */
  <T> void run(
      Dispatcher dispatcher, String what, Supplier<Completion<T>> work, CompletionPort<T> port) {
    threads.execute(HelperThread.task(dispatcher, what, work, port, _ -> {}));
  }

  /** No more work comes; threads end as they become idle. */
  void end() {
    threads.shutdown();
  }

  /** The same, and returns when all work is done; an interrupt is kept for the caller. */
  void awaitEnd() {
    threads.shutdown();
    boolean interrupted = false;
    while (!threads.isTerminated()) {
      try {
        threads.awaitTermination(1, TimeUnit.DAYS);
      } catch (InterruptedException during) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
