package dev.upcall.httpd.blocking;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A bounded number of connections: whoever accepts waits while all places are taken. */
final class Places {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final int limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition left = lock.newCondition();
  private int taken;
  private boolean open;

  Places(int limit) {
    this.limit = limit;
  }

  /** Takes a place, and waits for it unless there is to be no more waiting. */
  void enter() {
    lock.lock();
    try {
      while (taken >= limit && !open) {
        left.awaitUninterruptibly();
      }
      taken++;
    } finally {
      lock.unlock();
    }
  }

  /** Gives a place back. */
  void leave() {
    lock.lock();
    try {
      taken--;
      left.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a moment, or until somebody leaves. */
  void pause() {
    lock.lock();
    try {
      int before = taken;
      for (long leftNanos = PAUSE_NANOS; leftNanos > 0 && taken == before && !open; ) {
        leftNanos = left.awaitNanos(leftNanos);
      }
    } catch (InterruptedException wanted) {
      Thread.currentThread().interrupt(); // a shorter pause
    } finally {
      lock.unlock();
    }
  }

  /** Lets nobody wait any more. */
  void open() {
    lock.lock();
    try {
      open = true;
      left.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many places are taken. */
  int taken() {
    lock.lock();
    try {
      return taken;
    } finally {
      lock.unlock();
    }
  }
}
