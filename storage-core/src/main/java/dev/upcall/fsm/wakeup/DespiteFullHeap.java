package dev.upcall.fsm.wakeup;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs what must be done although the heap may be full: callers are told of a dispatcher's end,
 * which may have come because there was no memory, and telling them takes a little. Any thread that
 * may wait.
 */
public final class DespiteFullHeap {
  private static final System.Logger LOG = System.getLogger(DespiteFullHeap.class.getName());

  private static final long PAUSE_NANOS = 10_000_000;

  /** For a minute. */
  private static final int MOST_PAUSES = 6000;

  private DespiteFullHeap() {}

  /**
   * Runs work, again after a pause while it finds no memory. Any other exception is logged: the
   * caller goes on with what is next. Allocates nothing itself.
   *
   * @param work whose parts that are done do nothing when they are run again
   */
  public static void run(Runnable work) {
    Objects.requireNonNull(work, "work");
    for (int pauses = 0; ; pauses++) {
      try {
        work.run();
        return;
      } catch (Throwable thrown) {
        if (!isToTryAgain(thrown, pauses)) {
          return;
        }
      }
    }
  }

  /** As {@link #run}. */
  static void abandon(Abandonable waiting) {
    for (int pauses = 0; ; pauses++) {
      try {
        waiting.abandon();
        return;
      } catch (Throwable thrown) {
        if (!isToTryAgain(thrown, pauses)) {
          return;
        }
      }
    }
  }

  /** Fails a stage, as {@link #run} would; nothing happens to one that is complete. */
  public static void fail(CompletableFuture<?> stage, Throwable why) {
    for (int pauses = 0; !stage.isDone(); pauses++) {
      try {
        stage.completeExceptionally(why);
      } catch (Throwable thrown) {
        if (!isToTryAgain(thrown, pauses)) {
          return;
        }
      }
    }
  }

  private static boolean isToTryAgain(Throwable thrown, int pauses) {
    if (thrown instanceof OutOfMemoryError && pauses < MOST_PAUSES) {
      LockSupport.parkNanos(PAUSE_NANOS);
      return true;
    }
    LOG.log(System.Logger.Level.ERROR, "a caller was not told how its request ended", thrown);
    return false;
  }
}
