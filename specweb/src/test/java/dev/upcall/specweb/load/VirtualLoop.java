package dev.upcall.specweb.load;

import java.util.Comparator;
import java.util.PriorityQueue;

/** A loop whose time passes when told: tests of hours take moments, and are the same each time. */
final class VirtualLoop implements LoadLoop {
  private record Task(long nanos, long number, Runnable body) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::nanos).thenComparingLong(Task::number));
  private long nowNanos;
  private long number;

  @Override
  public long nanoTime() {
    return nowNanos;
  }

  @Override
  public void at(long nanos, Runnable task) {
    tasks.add(new Task(Math.max(nanos, nowNanos), number++, task));
  }

  /** Lets time pass. */
  void runUntil(long nanos) {
    while (!tasks.isEmpty() && tasks.peek().nanos() <= nanos) {
      Task task = tasks.poll();
      nowNanos = task.nanos();
      task.body().run();
    }
    nowNanos = nanos;
  }
}
