package dev.upcall.httpd.blocking;

import dev.upcall.base.ThreadEnd;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A thread that looks at all connections from time to time. */
final class Watch {
  private final long intervalNanos;
  private final Runnable look;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closed = lock.newCondition();
  private final Thread thread;
  private boolean over;

  /** Begins to look. */
  Watch(long intervalNanos, Runnable look) {
    this.intervalNanos = intervalNanos;
    this.look = look;
    this.thread = Thread.ofPlatform().daemon().name("upcall-http watch").start(this::run);
  }

  private void run() {
    while (!isOver()) {
      look.run();
    }
  }

  /** Waits for the interval, or the end. */
  private boolean isOver() {
    lock.lock();
    try {
      for (long leftNanos = intervalNanos; leftNanos > 0 && !over; ) {
        leftNanos = closed.awaitNanos(leftNanos);
      }
      return over;
    } catch (InterruptedException wanted) {
      return true; // nobody interrupts it but at the end of the process
    } finally {
      lock.unlock();
    }
  }

  /** Looks no more. */
  void close() {
    lock.lock();
    try {
      over = true;
      closed.signalAll();
    } finally {
      lock.unlock();
    }
    ThreadEnd.await(thread);
  }
}
