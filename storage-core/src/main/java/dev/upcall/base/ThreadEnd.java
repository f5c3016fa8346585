package dev.upcall.base;

import java.util.Objects;

/** Waiting for the end of a thread. */
public final class ThreadEnd {
  private ThreadEnd() {}

  /** Waits until a thread has ended; an interrupt is kept for the caller. */
  public static void await(Thread thread) {
    Objects.requireNonNull(thread, "thread");
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException during) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
