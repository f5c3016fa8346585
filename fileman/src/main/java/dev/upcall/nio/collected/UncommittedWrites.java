package dev.upcall.nio.collected;

import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What of a file is not committed, and how a file that is new comes to be: with the rest, {@link
 * PendingWrites}, it shares one lock. Any threads.
 */
abstract sealed class UncommittedWrites permits PendingWrites {
  /** The id of a file that is new. */
  static final long NONE = 0;

  final WriteBehind all;

  /** The file, once it is made. */
  volatile long id;

  /** What a new file is to be made as; null when it is there, or never will be. */
  @Nullable Making making;

  /** Whether a channel has the new file open, which hears why it cannot be made. */
  boolean held = true;

  /** Held for moments only: nobody commits with it. */
  final ReentrantLock lock = new ReentrantLock();

  final Condition changed = lock.newCondition();

  final Batches batches = new Batches();
  boolean committing;

  /** Why what leaves could not be committed when that was last tried. */
  @Nullable RuntimeException failure;

  /** Whether there is any; written with the lock held. */
  volatile boolean any;

  /** Nothing, of a file. */
  UncommittedWrites(long id, WriteBehind all) {
    this.id = id;
    this.all = all;
  }

  /** Nothing, of a file that is new. */
  UncommittedWrites(Making making, WriteBehind all) {
    this(NONE, all);
    this.making = making;
    this.any = true;
  }

  private PendingWrites self() {
    return (PendingWrites) this;
  }

  final void awaitCommit() {
    while (committing) {
      changed.awaitUninterruptibly();
    }
  }

  final void checkEmpty() {
    if (batches.areNone()) {
      any = false;
      all.remove(self());
    }
  }

  final void discardLocked() {
    all.release(batches.discard());
    failure = null;
    Making never = making;
    if (never != null) {
      making = null;
      all.removeNew(self());
      never.fate().givenUp();
    }
    checkEmpty();
  }

  // ------------------------------------------------------------------ a file that is new

  /**
   * Begins to make the file with what leaves first, until {@link #made} or {@link #notMade}; null
   * if there is nothing to make.
   *
   * @param again whether what could not be made is tried again
   */
  final Making.@Nullable Begun beginMaking(boolean again) {
    lock.lock();
    try {
      Making now = making;
      if (now == null || failure != null && !again) {
        return null;
      }
      Batch first = batches.leave();
      byte[] content = first == null ? new byte[0] : first.whole();
      committing = true;
      failure = null;
      return new Making.Begun(self(), new FilesById.NewFile(now.name(), now.mode(), content));
    } finally {
      lock.unlock();
    }
  }

  /** It is made, with what it had when that began. */
  final void made(long newId) {
    lock.lock();
    try {
      Making done = Objects.requireNonNull(making, "making");
      done.fate().made(newId); // first, so that nobody who finds it has others of its writes
      id = newId;
      making = null;
      all.removeNew(self());
      committing = false;
      changed.signalAll();
      all.release(batches.left());
      checkEmpty();
      if (any) {
        all.add(self());
      }
    } finally {
      lock.unlock();
    }
  }

  /** It could not be made; true if it is given up, since nobody has it open and it never can. */
  final boolean notMade(RuntimeException why) {
    lock.lock();
    try {
      committing = false;
      failure = why;
      changed.signalAll();
      boolean givenUp = !held && Making.isForGood(why);
      if (givenUp) {
        discardLocked();
      }
      return givenUp;
    } finally {
      lock.unlock();
    }
  }

  /** Why a new file could not be made when that was last tried; null if it can, or is made. */
  final @Nullable RuntimeException whyNotMade() {
    lock.lock();
    try {
      return making == null ? null : failure;
    } finally {
      lock.unlock();
    }
  }

  /** What is known of the file if it is new, else null. */
  public final Making.@Nullable Seen seenNew() {
    lock.lock();
    try {
      return making == null ? null : new Making.Seen(batches.sizeBytes(), making.mode());
    } finally {
      lock.unlock();
    }
  }

  /** One more channel has the file open that is new; false if it is not any more. */
  public final boolean holdNew() {
    lock.lock();
    try {
      held = true;
      return making != null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether a channel that closes may leave the file as it is: new, written, and without a failure.
   * Not while it is being made: what was written since would be left to nobody.
   *
   * @param last whether no channel has it open any more
   */
  public final boolean staysNew(boolean last) {
    lock.lock();
    try {
      boolean stays = making != null && failure == null && batches.begun() > 0 && !committing;
      held = !stays || !last;
      return stays;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Gives a file up that is new, and that nobody has open; false if it is not, or is being made.
   */
  public final boolean giveUpNew() {
    lock.lock();
    try {
      boolean isNew = making != null && !committing;
      if (isNew) {
        discardLocked();
      }
      return isNew;
    } finally {
      lock.unlock();
    }
  }
}
