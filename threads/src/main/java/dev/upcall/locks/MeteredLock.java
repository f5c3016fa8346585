package dev.upcall.locks;

import dev.upcall.base.Clock;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lock for one thread at a time that counts and times the waits for it. Not taken twice. */
public final class MeteredLock {
  private final ReentrantLock lock = new ReentrantLock();
  private final LockRank rank;
  private final LockMeter meter;

  /** A lock with its place in the order. */
  public MeteredLock(LockRank rank, Clock clock) {
    this.rank = rank;
    this.meter = new LockMeter(rank, clock);
  }

  /** Takes the lock, waiting as long as it needs. */
  public void lock() {
    assert LockOrder.taking(rank);
    if (!lock.tryLock()) {
      long begunNanos = meter.begins();
      lock.lock();
      meter.ended(begunNanos);
    }
  }

  /** Gives it back. */
  public void unlock() {
    lock.unlock();
    assert LockOrder.gaveBack(rank);
  }

  /** Runs something with the lock. */
  public void run(Runnable action) {
    lock();
    try {
      action.run();
    } finally {
      unlock();
    }
  }

  /** What something gives with the lock. */
  public <T extends @Nullable Object> T get(Supplier<T> action) {
    lock();
    try {
      return action.get();
    } finally {
      unlock();
    }
  }

  /** A condition of this lock. Waiting for it is no wait for the lock. */
  public Condition newCondition() {
    return lock.newCondition();
  }

  /** How much was waited for it. */
  public LockWait waited() {
    return meter.snapshot();
  }
}
