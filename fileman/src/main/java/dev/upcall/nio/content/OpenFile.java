package dev.upcall.nio.content;

import dev.upcall.nio.collected.PendingWrites;
import dev.upcall.nio.collected.WriteBehind;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file as its open channels share it. One writes at a time, and none while the file loses its
 * name; see {@link OpenFiles}.
 */
public final class OpenFile {
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

  /** Bytes that channels have written and that are not committed; under the lock. */
  private @Nullable PendingWrites pending;

  /** A file of the store. */
  OpenFile(long id) {
    this.id = id;
  }

  /** The file's id. */
  long id() {
    return id;
  }

  /** What channels have written and is not committed. */
  PendingWrites pending(WriteBehind all) {
    lock.lock();
    try {
      PendingWrites present = pending;
      if (present == null) {
        present = all.of(id);
        pending = present;
      }
      return present;
    } finally {
      lock.unlock();
    }
  }

  /** Regions that channels have locked. */
  FileLocks locks() {
    return locks;
  }

  /** A channel closes, the lock held: what was written is committed, or given up if unseen. */
  void closing(boolean unseen) {
    PendingWrites present = pending;
    if (present == null) {
      return;
    }
    try {
      if (!unseen) {
        present.close();
      }
    } finally {
      if (channels == 0) {
        present.discard();
      }
    }
  }
}
