package dev.upcall.nio.collected;

import dev.upcall.UpcallException;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one file that have returned and are not committed yet. Every channel of the file sees
 * them; they are committed in their order, batch by batch. What could not be committed stays, and
 * is tried again when a channel of the file next writes, forces or closes, which hears why; others
 * neither try it nor hear of it. Any threads; those that write take turns by the file's lock.
 */
public final class PendingWrites {
  private static final int COMMITS_OF_A_ROUND = 4;

  private final FilesById files;
  private final WriteBehind all;
  private final long id;

  /** Held for moments only: nobody commits with it. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();
  private final Batches batches = new Batches();
  private boolean committing;

  /** Whether what leaves could not be committed when that was last tried. */
  private boolean failed;

  /** Whether there is any; written with the lock held. */
  private volatile boolean any;

  /**
   * None.
   *
   * @param id the file
   */
  PendingWrites(FilesById files, long id, WriteBehind all) {
    this.files = files;
    this.id = id;
    this.all = all;
  }

  // ------------------------------------------------------------------ writing

  /**
   * Takes all that remains of a buffer; the file's lock is held.
   *
   * @param offset where, or {@link FilesById#AT_END}
   * @return the offset behind it; -1 if nothing was taken: it must be committed at once
   */
  public long collect(long offset, ByteBuffer from) {
    boolean atEnd = offset == FilesById.AT_END;
    lock.lock();
    try {
      if (failed) {
        settleLocked();
      }
      if (!any) {
        batches.sizeBytes(files.sizeBytes(id));
      }
      long start = atEnd ? batches.sizeBytes() : offset;
      return isInFile(start, from) ? take(start, atEnd, from) : -1;
    } finally {
      lock.unlock();
    }
  }

  /**
   * As {@link #collect}, for a place and a caller that does not wait.
   *
   * @return -1 as well where it would have to
   */
  public long tryCollect(long offset, ByteBuffer from) {
    lock.lock();
    try {
      Batch batch = batches.collecting();
      return any
              && !failed
              && batch != null
              && isInFile(offset, from)
              && batch.fits(offset, false, from.remaining())
          ? take(offset, /* atEnd= */ false, from)
          : -1;
    } finally {
      lock.unlock();
    }
  }

  private static boolean isInFile(long start, ByteBuffer from) {
    return start <= FilesById.MAX_BYTES - from.remaining();
  }

  /** Memory and a thread come first: without them nothing has begun. */
  private long take(long start, boolean atEnd, ByteBuffer from) {
    int count = from.remaining();
    if (!all.take(count)) {
      return -1;
    }
    int added = 0;
    try {
      Batch batch = roomFor(start, atEnd, count);
      if (!any && !all.add(this)) {
        return -1;
      }
      any = true;
      added = put(batch, start, atEnd, from);
    } finally {
      all.release(count - added);
      checkEmpty();
    }
    return start + count;
  }

  /** How many bytes more there are. */
  private int put(Batch batch, long start, boolean atEnd, ByteBuffer from) {
    long end = start + from.remaining();
    int before = batch.bytes();
    batch.put(start, atEnd, from);
    if (batch != batches.collecting()) {
      batches.begin(batch);
    }
    batches.sizeBytes(Math.max(batches.sizeBytes(), end));
    if (before < all.worthBytes() && isWorthIt() && !committing) {
      all.urge();
    }
    return batch.bytes() - before;
  }

  /** A batch that takes so much, after the one before it is committed if need be. */
  private Batch roomFor(long start, boolean atEnd, int count) {
    Batch batch = batches.collecting();
    while (batch != null && !batch.fits(start, atEnd, count)) {
      awaitCommit();
      if (batches.collecting() == batch) {
        commitNext();
      }
      batch = batches.collecting();
    }
    return batch == null ? all.newBatch() : batch;
  }

  // ------------------------------------------------------------------ committing

  /** Whether something was collected that nobody has tried to commit. */
  boolean isWaiting() {
    lock.lock();
    try {
      return !failed && batches.collecting() != null;
    } finally {
      lock.unlock();
    }
  }

  /** What a round of {@link WriteBehind} has left. */
  enum Left {
    /** There was nothing, or it has failed before. */
    NOTHING,
    /** What is not worth a commit yet, or is left to whoever commits right now. */
    LITTLE,
    /** So much that the next round must not wait. */
    MUCH
  }

  /** Commits what nobody commits. */
  Left commitSome() {
    lock.lock();
    try {
      if (failed || !any) {
        return Left.NOTHING;
      }
      for (int i = 0; i < COMMITS_OF_A_ROUND; i++) {
        if (committing || !any) {
          return Left.LITTLE;
        }
        commitNext(); // the next one before its writer, who would wait for it
        if (!isWorthIt()) {
          return Left.LITTLE;
        }
      }
      return Left.MUCH;
    } catch (RuntimeException | Error kept) {
      return Left.LITTLE; // the file's channels hear of it
    } finally {
      lock.unlock();
    }
  }

  private boolean isWorthIt() {
    Batch batch = batches.collecting();
    return batch != null && batch.bytes() >= all.worthBytes();
  }

  /** Whether there is anything that is not committed. */
  public boolean isAny() {
    return any;
  }

  /**
   * Commits what was collected before; throws why that cannot be. Where nothing leads to the file
   * any more, that is told once, and what was collected is given up.
   */
  public void settle() {
    if (any) {
      lock.lock();
      try {
        settleLocked();
      } finally {
        lock.unlock();
      }
    }
  }

  /** As {@link #settle}; what fails, or has failed, is left to the file's channels. */
  void settleForOthers() {
    lock.lock();
    try {
      for (long last = batches.begun(); batches.through() < last; ) {
        awaitCommit();
        if (failed) {
          return;
        }
        if (batches.through() < last) {
          commitNext();
        }
      }
    } catch (RuntimeException | Error kept) {
      // The file's channels hear of it.
    } finally {
      lock.unlock();
    }
  }

  private void settleLocked() {
    for (long last = batches.begun(); batches.through() < last; ) {
      awaitCommit();
      if (batches.through() < last) {
        commitNext();
      }
    }
  }

  private void awaitCommit() {
    while (committing) {
      changed.awaitUninterruptibly();
    }
  }

  /** Commits one batch, the lock let go meanwhile. */
  private void commitNext() {
    Batch next = batches.leave();
    if (next == null) {
      return;
    }
    committing = true;
    boolean done = false;
    boolean gone = false;
    lock.unlock();
    try {
      files.write(id, next.pieces(), Durability.ASYNC);
      done = true;
    } catch (UpcallException.NotFound deleted) {
      gone = true;
      throw deleted;
    } finally {
      lock.lock();
      committing = false;
      failed = !done;
      changed.signalAll();
      if (gone) {
        discardLocked();
      }
    }
    all.release(batches.left());
    checkEmpty();
  }

  // ------------------------------------------------------------------ the end

  /** Commits all when a channel closes; what a deletion through another door took is not missed. */
  public void close() {
    try {
      settle();
    } catch (UpcallException.NotFound deleted) {
      // There is no file any more that could miss what was written.
    }
  }

  /** Gives up what is here: nobody can see it any more. */
  public void discard() {
    lock.lock();
    try {
      awaitCommit();
      discardLocked();
    } finally {
      lock.unlock();
    }
  }

  private void discardLocked() {
    all.release(batches.discard());
    failed = false;
    checkEmpty();
  }

  private void checkEmpty() {
    if (any && batches.areNone()) {
      any = false;
      all.remove(this);
    }
  }

  // ------------------------------------------------------------------ reading

  /** The file's size. */
  public long sizeBytes() {
    if (any) {
      lock.lock();
      try {
        if (any) {
          return batches.sizeBytes();
        }
      } finally {
        lock.unlock();
      }
    }
    return files.sizeBytes(id);
  }

  /** As {@link FilesById#read}. */
  public int read(long offset, ByteBuffer into) {
    return any ? new OverlaidRead(this, offset, into).now() : readCommitted(offset, into);
  }

  /** As {@link FilesById#read}, of what is committed. */
  int readCommitted(long offset, ByteBuffer into) {
    return files.read(id, offset, into);
  }

  /** As {@link FilesById#readLater}. */
  public CompletableFuture<Integer> readLater(long offset, ByteBuffer into) {
    return any ? new OverlaidRead(this, offset, into).later() : readCommittedLater(offset, into);
  }

  /** As {@link FilesById#readLater}, of what is committed. */
  CompletableFuture<Integer> readCommittedLater(long offset, ByteBuffer into) {
    return files.readLater(id, offset, into);
  }

  /** Copies some of what is collected from an offset on; waits for nobody but for moments. */
  OverlaidRead.Look look(long offset, ByteBuffer into) {
    lock.lock();
    try {
      return batches.look(offset, into, any);
    } finally {
      lock.unlock();
    }
  }

  /**
   * What there is from an offset on, where the committed content ends at or before it; as {@link
   * FilesById#read}, or null: something was committed since a look, and may lie there.
   */
  @Nullable Integer behindCommitted(long offset, ByteBuffer into, OverlaidRead.Look before) {
    lock.lock();
    try {
      if (batches.through() != before.through()) {
        return null;
      }
      OverlaidRead.Look now = batches.look(offset, into, any);
      return now.isAnswer() ? now.count() : Batches.zeros(now, offset, into);
    } finally {
      lock.unlock();
    }
  }
}
