package dev.upcall.fsm.wakeup;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Starts virtual threads where the machine may give none. The JVM then throws one error or another:
 * {@link OutOfMemoryError}, and ever after a {@link LinkageError} when it was the first virtual
 * thread of all that could not be started. Any thread.
 */
public final class VirtualThreads {
  private VirtualThreads() {}

  /**
   * Has the JVM set up what all virtual threads need while threads can be had: it tries that only
   * once.
   */
  public static void prepare() {
    try {
      Thread.ofVirtual().unstarted(() -> {});
    } catch (Throwable noThread) {
      refused(noThread);
    }
  }

  /**
   * Starts a task on a virtual thread of its own; where this JVM can have no virtual threads any
   * more, on a platform thread.
   *
   * @return the thread; null when there is none to be had, and the task is not run
   */
  public static @Nullable Thread start(String name, Runnable task) {
    AtomicBoolean claimed = new AtomicBoolean();
    // A start that throws may have been heard by the scheduler.
    Runnable once =
        () -> {
          if (claimed.compareAndSet(false, true)) {
            task.run();
          }
        };
    Thread thread = null;
    try {
      try {
        thread = Thread.ofVirtual().name(name).unstarted(once);
      } catch (LinkageError noVirtualThreads) {
        thread = Thread.ofPlatform().daemon().name(name).unstarted(once);
      }
      thread.start();
      return thread;
    } catch (Throwable noThread) {
      refused(noThread);
      return claimed.compareAndSet(false, true) ? null : thread;
    }
  }

  private static void refused(Throwable noThread) {
    System.getLogger(VirtualThreads.class.getName())
        .log(System.Logger.Level.DEBUG, "no thread can be started", noThread);
  }
}
