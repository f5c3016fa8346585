package dev.upcall.fileman.trees.host;

import java.util.concurrent.Executor;

/** Has work of a transfer done side by side, as far as this process gets threads for that. */
public final class HostWork {
  private HostWork() {}

  /** Gives a task to threads that start as they are needed; does it here if none can be had. */
  public static void execute(Executor threads, Runnable task) {
    try {
      threads.execute(task);
    } catch (OutOfMemoryError noThread) {
      // The JVM's word for that; somebody waits for the task.
      task.run();
    }
  }
}
