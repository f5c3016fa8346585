package dev.upcall.nio;

import dev.upcall.StorePath;
import dev.upcall.nio.collected.Making;
import dev.upcall.nio.collected.PendingWrites;
import dev.upcall.nio.collected.WriteBehind;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file as its open channels share it. One writes at a time, and none while the file loses its
 * name; see {@link OpenFiles}.
 */
final class OpenFile {
  /** Held to write, to open, and to take the name away. */
  final ReentrantLock lock = new ReentrantLock();

  /** The id of a file that is new. */
  static final long NONE = 0;

  private volatile long id;
  private final @Nullable StorePath newName;
  private final FileLocks locks = new FileLocks();

  /** Who looks at this; the registry's. */
  int holders;

  /** Open channels; under the lock. */
  int channels;

  /** Whether it has no name but the hidden one; under the lock. */
  boolean unlinked;

  /** What channels have written and is not committed; written under the lock. */
  private volatile @Nullable PendingWrites pending;

  /** A file of the store. */
  OpenFile(long id) {
    this.id = id;
    this.newName = null;
  }

  /**
   * A file that is not committed yet.
   *
   * @param newName in a directory by its id
   */
  OpenFile(StorePath newName) {
    this.id = NONE;
    this.newName = newName;
  }

  /** The file's id; as long as it is new, once its writes are settled. */
  long id() {
    return id;
  }

  /** Its name, if it was new when it was first opened; another one may have that by now. */
  @Nullable StorePath newName() {
    return newName;
  }

  /** It is in the store; the registry's to say. */
  void made(long newId) {
    id = newId;
  }

  /** Of a file that is new, before anybody finds it. */
  void writes(PendingWrites writes) {
    pending = writes;
  }

  /** What is known of it if it is new, else null; without the lock. */
  Making.@Nullable Seen seenNew() {
    PendingWrites present = pending;
    return present == null ? null : present.seenNew();
  }

  /** Whether it is new, and one more channel may open it as that; the lock is held. */
  boolean holdNew() {
    return pending != null && pending.holdNew();
  }

  /** Gives up a file that is new and has no channels; the lock is held. */
  boolean giveUpNew() {
    return channels == 0 && pending != null && pending.giveUpNew();
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

  /** Whether there is any of that; without the lock. */
  boolean isPending() {
    PendingWrites present = pending;
    return present != null && present.isAny();
  }

  /** Regions that channels have locked. */
  FileLocks locks() {
    return locks;
  }

  /** A channel closes, the lock held: what was written is committed, or given up if unseen. */
  void closing(boolean unseen) {
    PendingWrites present = pending;
    if (present == null || present.staysNew(channels == 0)) {
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
