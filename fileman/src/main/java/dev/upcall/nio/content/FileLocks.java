package dev.upcall.nio.content;

import java.nio.channels.OverlappingFileLockException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locked regions of one file. A store has one process, and within one the JDK refuses regions that
 * overlap, whoever asks: so nobody ever waits for a lock.
 */
public final class FileLocks {
  private final ReentrantLock guard = new ReentrantLock();
  private final List<Region> held = new ArrayList<>(0);

  /** What is locked. It leads to no channel, so that a program may forget one with its locks. */
  public static final class Region {
    private final long position;
    private final long sizeBytes;
    private final boolean shared;
    private final Content owner;

    /**
     * A region; whoever makes a lock of it checks the numbers.
     *
     * @param sizeBytes bytes; 0 for all that a file can have from the position on
     * @param owner with which it ends
     */
    public Region(long position, long sizeBytes, boolean shared, Content owner) {
      this.position = position;
      this.sizeBytes = sizeBytes == 0 ? Long.MAX_VALUE - Math.max(0, position) : sizeBytes;
      this.shared = shared;
      this.owner = owner;
    }

    public long position() {
      return position;
    }

    /** Up to the end of numbers, where all was asked for. */
    public long sizeBytes() {
      return sizeBytes;
    }

    public boolean isShared() {
      return shared;
    }

    boolean overlaps(Region other) {
      return position < other.position + other.sizeBytes && other.position < position + sizeBytes;
    }
  }

  /** Takes a region; throws {@link OverlappingFileLockException}. */
  public void add(Region region) {
    guard.lock();
    try {
      if (held.stream().anyMatch(region::overlaps)) {
        throw new OverlappingFileLockException();
      }
      held.add(region);
    } finally {
      guard.unlock();
    }
  }

  /** Gives a region back; harmless when done before. */
  public void remove(Region region) {
    guard.lock();
    try {
      held.removeIf(other -> other == region);
    } finally {
      guard.unlock();
    }
  }

  /** A channel is closed: what it held is free. */
  public void removeAllOf(Content owner) {
    guard.lock();
    try {
      held.removeIf(other -> other.owner == owner);
    } finally {
      guard.unlock();
    }
  }

  /** Whether a region is held. */
  public boolean has(Region region) {
    guard.lock();
    try {
      return held.stream().anyMatch(other -> other == region);
    } finally {
      guard.unlock();
    }
  }
}
