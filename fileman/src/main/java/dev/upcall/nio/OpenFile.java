package dev.upcall.nio;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A file as its open channels share it. One writes at a time, and none while the file loses its
 * name; see {@link OpenFiles}.
 */
final class OpenFile {
  /** Held to write, to open, and to take the name away. */
  final ReentrantLock lock = new ReentrantLock();

  private final long id;
  private final FileLocks locks = new FileLocks();

  /** Who looks at this; the registry's. */
  int holders;

  /** Open channels; under the lock. */
  int channels;

  /** Whether it has no name but the hidden one; under the lock. */
  boolean unlinked;

  OpenFile(long id) {
    this.id = id;
  }

  /** The file's id. */
  long id() {
    return id;
  }

  /** Regions that channels have locked. */
  FileLocks locks() {
    return locks;
  }
}
