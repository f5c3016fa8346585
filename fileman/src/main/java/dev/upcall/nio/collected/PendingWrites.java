package dev.upcall.nio.collected;

import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one file that have returned and are not committed yet. Every channel of the file sees
 * them; they are committed in their order, batch by batch. What could not be committed stays, and
 * is tried again when a channel of the file next writes, forces or closes, which hears why. Any
 * threads; those that write take turns by the file's lock.
 *
 * <p>The file itself may be new: then all of it is here, and it is made with its first batch, by
 * {@link WriteBehind} only, in its turn among other new ones.
 */
public final class PendingWrites extends UncommittedWrites {
  private static final int COMMITS_OF_A_ROUND = 4;

  private final FilesById files;

  /**
   * None.
   *
   * @param id the file
   */
  PendingWrites(FilesById files, long id, WriteBehind all) {
    super(id, all);
    this.files = files;
  }

  /** None, of a file that is new. */
  PendingWrites(FilesById files, Making making, WriteBehind all) {
    super(making, all);
    this.files = files;
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
      if (failure != null
          || making != null
              && !fitsNew(atEnd ? batches.sizeBytes() : offset, atEnd, from.remaining())) {
        settleLocked();
      }
      if (!any) {
        batches.sizeBytes(files.sizeBytes(id));
      }
      long start = atEnd ? batches.sizeBytes() : offset;
      return put(roomFor(start, atEnd, from.remaining()), start, atEnd, from);
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
      if (!any
          || failure != null
          || batch == null
          || making != null && offset + from.remaining() > Making.MAX_BYTES
          || !batch.fits(offset, false, from.remaining())) {
        return -1;
      }
      return put(batch, offset, /* atEnd= */ false, from);
    } finally {
      lock.unlock();
    }
  }

  /** Whether a new file can have so much more before it is made. */
  private boolean fitsNew(long start, boolean atEnd, int count) {
    return start + count <= Making.MAX_BYTES && batches.fits(start, atEnd, count);
  }

  private long put(Batch batch, long start, boolean atEnd, ByteBuffer from) {
    int count = from.remaining();
    if (!all.take(count)) {
      return -1;
    }
    int before = batch.bytes();
    batch.put(start, atEnd, from);
    all.release(count - (batch.bytes() - before));
    batches.sizeBytes(Math.max(batches.sizeBytes(), start + count));
    if (!any) {
      any = true;
      all.add(this);
    }
    if (making == null && before < all.worthBytes() && isWorthIt() && !committing) {
      all.urge();
    }
    return start + count;
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
    if (batch == null) {
      batch = all.newBatch();
      batches.begin(batch);
    }
    return batch;
  }

  /** Whether something was collected that nobody has tried to commit. */
  boolean isWaiting() {
    lock.lock();
    try {
      return failure == null && (batches.collecting() != null || making != null);
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
      if (failure != null || !any) {
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
    } catch (RuntimeException kept) {
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

  /** Commits what was collected before; throws why that cannot be. */
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

  /** As {@link #settle}; a failure is kept for the file's channels, and nothing tried again. */
  void settleForOthers() {
    lock.lock();
    try {
      for (long last = batches.begun(); batches.through() < last; ) {
        awaitCommit();
        if (failure != null) {
          return;
        }
        if (batches.through() < last) {
          commitNext();
        }
      }
    } catch (UpcallException kept) {
      // The file's channels hear of it.
    } finally {
      lock.unlock();
    }
  }

  private void settleLocked() {
    if (making != null) {
      makeNow();
    }
    for (long last = batches.begun(); batches.through() < last; ) {
      awaitCommit();
      if (batches.through() < last) {
        commitNext();
      }
    }
  }

  /** The lock is let go meanwhile. */
  private void makeNow() {
    lock.unlock();
    try {
      all.makeNew(/* again= */ true);
    } finally {
      lock.lock();
    }
    RuntimeException why = failure;
    if (making != null && why != null) {
      throw why;
    }
  }

  /** Commits one batch, the lock let go meanwhile. */
  private void commitNext() {
    Batch next = batches.leave();
    if (next == null) {
      return;
    }
    committing = true;
    failure = null;
    lock.unlock();
    RuntimeException failed = null;
    try {
      files.write(id, next.pieces(), Durability.ASYNC);
    } catch (RuntimeException refused) {
      failed = refused;
      throw refused;
    } finally {
      lock.lock();
      committing = false;
      failure = failed;
      changed.signalAll();
    }
    all.release(batches.left());
    checkEmpty();
  }

  // ------------------------------------------------------------------ the end

  /** Commits all when a channel closes; what a deletion through another door took is not missed. */
  public void close() {
    try {
      settle();
    } catch (UpcallException failed) {
      if (!(failed.failure() instanceof Failure.NotFound)) {
        throw failed;
      }
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
    return any ? new OverlaidRead(this, offset, into).now() : files.read(id, offset, into);
  }

  /** As {@link FilesById#read}, of what is committed. */
  int readCommitted(long offset, ByteBuffer into) {
    long committed = id;
    return committed == NONE ? -1 : files.read(committed, offset, into);
  }

  /** As {@link FilesById#readLater}. */
  public CompletableFuture<Integer> readLater(long offset, ByteBuffer into) {
    return any ? new OverlaidRead(this, offset, into).later() : files.readLater(id, offset, into);
  }

  /** As {@link FilesById#readLater}, of what is committed. */
  CompletableFuture<Integer> readCommittedLater(long offset, ByteBuffer into) {
    long committed = id;
    return committed == NONE
        ? CompletableFuture.completedFuture(-1)
        : files.readLater(committed, offset, into);
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
