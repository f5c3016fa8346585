package dev.upcall.fileman.trees;

import dev.upcall.base.Invariants;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Whether large files may be read into the store side by side. They may until the volume has no
 * room for all that is under way; from then on one at a time, so that of files which do not all fit
 * some are kept whole, instead of each failing with a part. Any threads.
 */
final class StagingRoom {
  /** A file is to be read when no other is, in its turn. */
  static final class ReadAloneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ReadAloneException() {
      super("to be read alone");
    }
  }

  private final ReentrantReadWriteLock underWay = new ReentrantReadWriteLock();
  private volatile boolean crowded;

  /** Reads a file. */
  interface Reading<T> {
    T read() throws IOException;
  }

  /**
   * Reads beside others; what was read is staged, or given back, when this returns.
   *
   * @throws ReadAloneException if one reads at a time now
   */
  <T> T beside(Reading<T> reading) throws IOException {
    underWay.readLock().lock();
    try {
      check();
      return reading.read();
    } finally {
      underWay.readLock().unlock();
    }
  }

  /**
   * Asked again and again by who reads beside others.
   *
   * @throws ReadAloneException if it is to give up what it has
   */
  void check() {
    if (crowded) {
      throw new ReadAloneException();
    }
  }

  /** From now on one reads at a time; returns when all who read have given up, or have ended. */
  void emptyForGood() {
    crowded = true;
    underWay.writeLock().lock();
    try {
      Invariants.check(underWay.getReadLockCount() == 0, "somebody reads beside the only one");
    } finally {
      underWay.writeLock().unlock();
    }
  }
}
