package dev.upcall.fsm.wakeup;

/**
 * How many processors this process may use, which others can change while it runs. Any thread; who
 * asks gets the last look.
 */
public final class Processors {
  /** Questions answered by one look, which is a system call. */
  private static final int QUESTIONS = 256;

  private volatile int count = look();

  /** The owner's. */
  private int questions;

  private static int look() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** As {@link #count}, and looks again now and then. One thread. */
  public int countNow() {
    if (++questions >= QUESTIONS) {
      questions = 0;
      count = look();
    }
    return count;
  }

  public int count() {
    return count;
  }
}
