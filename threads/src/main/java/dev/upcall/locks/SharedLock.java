package dev.upcall.locks;

import dev.upcall.base.Clock;
import java.util.concurrent.locks.StampedLock;

/**
 * A lock for many readers or one writer that counts and times the waits for it. Not reentrant; a
 * thread that reads cannot write.
 */
public final class SharedLock {
  private final StampedLock lock = new StampedLock();
  private final LockRank rank;
  private final LockMeter meter;

  /** A lock with its place in the order. */
  public SharedLock(LockRank rank, Clock clock) {
    this.rank = rank;
    this.meter = new LockMeter(rank, clock);
  }

  /** Begins to read; give what is returned to {@link #endRead}. */
  public long read() {
    assert LockOrder.taking(rank);
    long stamp = lock.tryReadLock();
    if (stamp == 0) {
      long begunNanos = meter.begins();
      stamp = lock.readLock();
      meter.ended(begunNanos);
    }
    return stamp;
  }

  /** Ends reading. */
  public void endRead(long stamp) {
    lock.unlockRead(stamp);
    assert LockOrder.gaveBack(rank);
  }

  /** Begins to write; give what is returned to {@link #endWrite}. */
  public long write() {
    assert LockOrder.taking(rank);
    long stamp = lock.tryWriteLock();
    if (stamp == 0) {
      long begunNanos = meter.begins();
      stamp = lock.writeLock();
      meter.ended(begunNanos);
    }
    return stamp;
  }

  /** Ends writing. */
  public void endWrite(long stamp) {
    lock.unlockWrite(stamp);
    assert LockOrder.gaveBack(rank);
  }

  /** How much was waited for it. */
  public LockWait waited() {
    return meter.snapshot();
  }
}
