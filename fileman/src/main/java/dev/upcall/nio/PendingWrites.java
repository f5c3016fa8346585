package dev.upcall.nio;

import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one file that have returned and are not committed yet. Every channel of the file sees
 * them; they are committed in their order, batch by batch. What could not be committed stays, and
 * is tried again when a channel of the file next writes, forces or closes, which hears why. Any
 * threads; those that write take turns by the file's lock.
 */
final class PendingWrites {
  private static final int COMMITS_OF_A_ROUND = 4;
  private static final int MAX_ZERO_BYTES = 64 << 10;

  private final FilesById files;
  private final long id;
  private final WriteBehind all;

  /** Held for moments only: nobody commits with it. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();

  /** What new writes go to. */
  private @Nullable Batch collecting;

  /** What is being committed, or could not be. */
  private @Nullable Batch leaving;

  private boolean committing;

  /** Why what leaves could not be committed when that was last tried. */
  private @Nullable RuntimeException failure;

  /** Batches that were begun. */
  private long begun;

  /** Of these, those that are committed. */
  private long through;

  /** The file's size with all that is here, while there is any. */
  private long sizeBytes;

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

  /** The file. */
  long id() {
    return id;
  }

  // ------------------------------------------------------------------ writing

  /**
   * Takes all that remains of a buffer; the file's lock is held.
   *
   * @param offset where, or {@link FilesById#AT_END}
   * @return the offset behind it; -1 if nothing was taken: it must be committed at once
   */
  long collect(long offset, ByteBuffer from) {
    boolean atEnd = offset == FilesById.AT_END;
    lock.lock();
    try {
      if (failure != null) {
        settleLocked();
      }
      if (!any) {
        sizeBytes = files.sizeBytes(id);
      }
      long start = atEnd ? sizeBytes : offset;
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
  long tryCollect(long offset, ByteBuffer from) {
    lock.lock();
    try {
      Batch batch = collecting;
      if (!any
          || failure != null
          || batch == null
          || !batch.fits(offset, false, from.remaining())) {
        return -1;
      }
      return put(batch, offset, /* atEnd= */ false, from);
    } finally {
      lock.unlock();
    }
  }

  private long put(Batch batch, long start, boolean atEnd, ByteBuffer from) {
    int count = from.remaining();
    if (!all.take(count)) {
      return -1;
    }
    int before = batch.bytes();
    batch.put(start, atEnd, from);
    all.release(count - (batch.bytes() - before));
    sizeBytes = Math.max(sizeBytes, start + count);
    if (!any) {
      any = true;
      all.add(this);
    }
    if (before < all.worthBytes() && isWorthIt() && !committing) {
      all.urge();
    }
    return start + count;
  }

  /** A batch that takes so much, after the one before it is committed if need be. */
  private Batch roomFor(long start, boolean atEnd, int count) {
    Batch batch = collecting;
    while (batch != null && !batch.fits(start, atEnd, count)) {
      awaitCommit();
      if (collecting == batch) {
        commitNext();
      }
      batch = collecting;
    }
    if (batch == null) {
      batch = all.newBatch();
      collecting = batch;
      begun++;
    }
    return batch;
  }

  /** Whether something was collected that nobody has tried to commit. */
  boolean isWaiting() {
    lock.lock();
    try {
      return failure == null && collecting != null;
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
    Batch batch = collecting;
    return batch != null && batch.bytes() >= all.worthBytes();
  }

  /** Commits what was collected before; throws why that cannot be. */
  void settle() {
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
      for (long last = begun; through < last; ) {
        awaitCommit();
        if (failure != null) {
          return;
        }
        if (through < last) {
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
    for (long last = begun; through < last; ) {
      awaitCommit();
      if (through < last) {
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
    Batch next = leaving == null ? collecting : leaving;
    if (next == null) {
      return;
    }
    if (leaving == null) {
      leaving = next;
      collecting = null;
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
    leaving = null;
    through++;
    all.release(next.bytes());
    checkEmpty();
  }

  private void checkEmpty() {
    if (collecting == null && leaving == null) {
      any = false;
      all.remove(this);
    }
  }

  /** Commits all when a channel closes; what a deletion through another door took is not missed. */
  void close() {
    try {
      settle();
    } catch (UpcallException failed) {
      if (!(failed.failure() instanceof Failure.NotFound)) {
        throw failed;
      }
    }
  }

  /** Gives up what is here: nobody can see it any more. */
  void discard() {
    lock.lock();
    try {
      awaitCommit();
      for (Batch batch : new Batch[] {leaving, collecting}) {
        all.release(batch == null ? 0 : batch.bytes());
      }
      leaving = null;
      collecting = null;
      failure = null;
      through = begun;
      checkEmpty();
    } finally {
      lock.unlock();
    }
  }

  // ------------------------------------------------------------------ reading

  /** The file's size. */
  long sizeBytes() {
    if (any) {
      lock.lock();
      try {
        if (any) {
          return sizeBytes;
        }
      } finally {
        lock.unlock();
      }
    }
    return files.sizeBytes(id);
  }

  /** As {@link FilesById#read}. */
  int read(long offset, ByteBuffer into) {
    return any ? new OverlaidRead(files, this, offset, into).now() : files.read(id, offset, into);
  }

  /** As {@link FilesById#readLater}. */
  CompletableFuture<Integer> readLater(long offset, ByteBuffer into) {
    return any
        ? new OverlaidRead(files, this, offset, into).later()
        : files.readLater(id, offset, into);
  }

  /** Copies some of what is collected from an offset on; waits for nobody but for moments. */
  OverlaidRead.Look look(long offset, ByteBuffer into) {
    lock.lock();
    try {
      if (any && offset >= sizeBytes) {
        return new OverlaidRead.Look(-1, offset, through);
      }
      long until = next(collecting, offset);
      int count = read(collecting, offset, until, into);
      if (count == 0) {
        count = read(leaving, offset, until, into);
      }
      until = Math.min(until, next(leaving, offset));
      return new OverlaidRead.Look(count > 0 ? count : OverlaidRead.Look.ASK, until, through);
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
      if (through != before.through()) {
        return null;
      }
      OverlaidRead.Look now = look(offset, into);
      if (now.isAnswer()) {
        return now.count();
      }
      if (now.until() == Long.MAX_VALUE) {
        return -1;
      }
      int zeros = (int) Math.min(Math.min(now.until() - offset, into.remaining()), MAX_ZERO_BYTES);
      into.put(new byte[zeros]);
      return zeros;
    } finally {
      lock.unlock();
    }
  }

  private static long next(@Nullable Batch batch, long offset) {
    return batch == null ? Long.MAX_VALUE : batch.next(offset);
  }

  private static int read(@Nullable Batch batch, long offset, long until, ByteBuffer into) {
    return batch == null ? 0 : batch.read(offset, until, into);
  }
}
