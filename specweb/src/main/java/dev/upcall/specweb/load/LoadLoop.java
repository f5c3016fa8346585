package dev.upcall.specweb.load;

/** The thread of some workers: its clock, and tasks at times. */
public interface LoadLoop {
  /** Monotonic nanoseconds from no particular origin. */
  long nanoTime();

  /** Runs a task on this thread once the time has come; at once means soon, never inside. */
  void at(long nanos, Runnable task);
}
