package dev.upcall.nio;

import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locked regions of one file. A store has one process, and within one the JDK refuses regions that
 * overlap, whoever asks: so nobody ever waits for a lock.
 */
final class FileLocks {
  private final ReentrantLock guard = new ReentrantLock();
  private final List<UpcallFileLock> held = new ArrayList<>(0);

  /** Takes a region; throws {@link OverlappingFileLockException}. */
  void add(UpcallFileLock lock) {
    guard.lock();
    try {
      if (held.stream().anyMatch(other -> other.overlaps(lock.position(), lock.size()))) {
        throw new OverlappingFileLockException();
      }
      held.add(lock);
    } finally {
      guard.unlock();
    }
  }

  /** Gives a region back; harmless when done before. */
  void remove(FileLock lock) {
    guard.lock();
    try {
      held.removeIf(other -> other == lock);
    } finally {
      guard.unlock();
    }
  }

  /** A channel is closed: what it held is free. */
  void removeAllOf(UpcallFileChannel channel) {
    guard.lock();
    try {
      held.removeIf(other -> other.holder() == channel);
    } finally {
      guard.unlock();
    }
  }

  /** Whether a lock is held. */
  boolean has(FileLock lock) {
    guard.lock();
    try {
      return held.stream().anyMatch(other -> other == lock);
    } finally {
      guard.unlock();
    }
  }
}
