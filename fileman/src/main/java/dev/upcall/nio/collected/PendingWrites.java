package dev.upcall.nio.collected;

import dev.upcall.MetadataChange;
import dev.upcall.UpcallException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one file, and changes of its metadata, that have returned and are not committed yet.
 * Every channel of the file sees the writes; they are committed in their order, batch by batch. A
 * batch that could not be committed stays, and is tried again when a channel of the file next
 * writes, forces or closes, which hears why; others neither try it nor hear of it. Any threads;
 * those that write take turns by the file's lock.
 */
public final class PendingWrites {
  private static final int COMMITS_OF_A_ROUND = 4;

  /** Stands for what somebody else commits right now. */
  static final Batch BUSY_NOW = new Batch(0);

  private final FilesById files;
  private final WriteBehind all;
  private final long id;

  /** Held for moments only: nobody commits with it. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Batches batches = new Batches();
  private final CommitTurn turn = new CommitTurn(lock);
  private final PendingReads reads;

  /**
   * None.
   *
   * @param id the file
   */
  PendingWrites(FilesById files, long id, WriteBehind all) {
    this.files = files;
    this.id = id;
    this.all = all;
    this.reads = new PendingReads(files, id, lock, batches);
  }

  /** The file's content with all that. */
  public PendingReads reads() {
    return reads;
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
      if (turn.hasFailed()) {
        settleLocked();
      }
      if (!batches.isAny()) {
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
      return batch != null
              && !turn.hasFailed()
              && isInFile(offset, from)
              && batch.fits(offset, false, from.remaining())
          ? take(offset, /* atEnd= */ false, from)
          : -1;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a change of metadata, behind all writes; does not wait. The file's lock is held.
   *
   * @param change without attributes and expiry
   * @return false if it must be committed at once
   */
  public boolean collect(MetadataChange change) {
    lock.lock();
    try {
      Batch batch = batches.collecting();
      if (turn.hasFailed() || batch != null && batch.metadata() == null) {
        return false;
      }
      if (batch != null) {
        batch.join(change);
        return true;
      }
      if (!batches.isAny()) {
        batches.sizeBytes(files.sizeBytes(id));
      }
      return take(
          Batch.METADATA_BYTES,
          () -> {
            batches.begin(new Batch(change));
            return Batch.METADATA_BYTES;
          });
    } finally {
      lock.unlock();
    }
  }

  private static boolean isInFile(long start, ByteBuffer from) {
    return start <= FilesById.MAX_BYTES - from.remaining();
  }

  private long take(long start, boolean atEnd, ByteBuffer from) {
    int count = from.remaining();
    Batch batch = roomFor(start, atEnd, count);
    return take(count, () -> put(batch, start, atEnd, from)) ? start + count : -1;
  }

  /**
   * Memory and a thread come first: without them nothing has begun.
   *
   * @param adding gives how many bytes more there are
   */
  private boolean take(int count, IntSupplier adding) {
    if (!all.take(count)) {
      return false;
    }
    int added = 0;
    try {
      if (!batches.isAny() && !all.add(this)) {
        return false;
      }
      batches.areAny(true);
      added = adding.getAsInt();
    } finally {
      all.release(count - added);
      checkEmpty();
    }
    return true;
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
    if (before < all.worthBytes() && isWorthIt() && !turn.isTaken()) {
      all.urge();
    }
    return batch.bytes() - before;
  }

  /** A batch that takes so much, after the one before it is committed if need be. */
  private Batch roomFor(long start, boolean atEnd, int count) {
    Batch batch = batches.collecting();
    while (batch != null && !batch.fits(start, atEnd, count)) {
      turn.awaitEnd();
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
      return !turn.hasFailed() && batches.isAny();
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
      if (!batches.isAny()) {
        return Left.NOTHING;
      }
      if (turn.hasFailed() && !turn.isRetryDue()) {
        return turn.isRetried() ? Left.LITTLE : Left.NOTHING;
      }
      for (int i = 0; i < COMMITS_OF_A_ROUND; i++) {
        if (turn.isTaken() || !batches.isAny()) {
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
    return batches.isAny();
  }

  /**
   * Commits what was collected before; throws why that cannot be. Where nothing leads to the file
   * any more, that is told once, and what was collected is given up.
   */
  public void settle() {
    if (batches.isAny()) {
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
      // A batch that has failed is not waited for, also while somebody tries it again.
      for (long last = batches.begun(); batches.through() < last && !turn.hasFailed(); ) {
        if (turn.isTaken()) {
          turn.awaitEnd();
        } else {
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
      turn.awaitEnd();
      if (batches.through() < last) {
        commitNext();
      }
    }
  }

  /** Commits one batch, the lock let go meanwhile. */
  private void commitNext() {
    Batch next = batches.leave();
    if (next == null) {
      return;
    }
    turn.take();
    CommitTurn.Outcome outcome = CommitTurn.Outcome.FAILED;
    lock.unlock();
    try {
      next.commitTo(files, id);
      outcome = CommitTurn.Outcome.DONE;
    } catch (UpcallException failed) {
      outcome = CommitTurn.Outcome.of(next, failed.failure());
      throw failed;
    } finally {
      lock.lock();
      committed(outcome);
    }
  }

  private void committed(CommitTurn.Outcome outcome) {
    turn.end(outcome);
    switch (outcome) {
      case DONE -> {
        all.release(batches.left());
        checkEmpty();
      }
      case GONE -> discardLocked();
      case NOT_TRIED, BUSY, FAILED -> {}
    }
  }

  // ------------------------------------------------------------------ by somebody's request

  /**
   * All that is collected, for who has it committed, alone, and then tells {@link #ended}.
   *
   * @return null if there is nothing, or what has failed; {@link #BUSY_NOW} if it cannot be had
   */
  @Nullable Batch tryLeave() {
    lock.lock();
    try {
      if (turn.hasFailed()) {
        return null;
      }
      Batch next = turn.isTaken() ? BUSY_NOW : batches.leave();
      if (next == null || next == BUSY_NOW) {
        return next;
      }
      if (batches.collecting() != null) {
        return BUSY_NOW;
      }
      turn.take();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** The batch that {@link #tryLeave} gave was committed, or not. */
  void ended(CommitTurn.Outcome outcome) {
    lock.lock();
    try {
      committed(outcome);
    } finally {
      lock.unlock();
    }
  }

  /** The file. */
  long id() {
    return id;
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
      turn.awaitEnd();
      discardLocked();
    } finally {
      lock.unlock();
    }
  }

  private void discardLocked() {
    all.release(batches.discard());
    turn.forget();
    checkEmpty();
  }

  private void checkEmpty() {
    if (batches.isAny() && batches.areNone()) {
      batches.areAny(false);
      all.remove(this);
    }
  }
}
