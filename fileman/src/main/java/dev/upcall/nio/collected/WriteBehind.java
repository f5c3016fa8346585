package dev.upcall.nio.collected;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Writes of a store's channels that have returned and are not committed yet: whose they are, how
 * much memory they may have, and the virtual thread that commits them when nobody else does. It
 * lives as long as there are any. Any threads.
 */
public final class WriteBehind {
  /** The largest write that is collected: a larger one costs more than its way to the store. */
  private static final int MAX_WRITE_BYTES = 256 << 10;

  /** A round: how long what is collected lies, if no more comes. */
  private static final long LINGER_NANOS = 1_000_000;

  /** Rounds of that length for which new files lie: programs delete many of them soon. */
  private static final int NEW_ROUNDS = 50;

  /** Rounds in which there was nothing to do, before the thread ends. */
  private static final int IDLE_ROUNDS = 2;

  /** Room that the volume must have beyond what is collected, so that it cannot be short of it. */
  private static final long ROOM_BYTES = 32L << 20;

  private static final long MAX_BYTES = 32L << 20;
  private static final int MEMORY_SHARE = 8;
  private static final int BATCHES = 4;
  private static final int WORTHS = 8;

  private final FilesById files;
  private final long maxBytes;
  private final long lingerNanos;
  private final AtomicLong bytes = new AtomicLong();
  private final Set<PendingWrites> pending = ConcurrentHashMap.newKeySet();
  private final NewFiles newFiles;
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile @Nullable Thread thread;

  /**
   * Of a store.
   *
   * @param memoryBytes its memory; an eighth, and no more than 32 MiB, may be collected
   */
  public WriteBehind(FilesById files, long memoryBytes) {
    this(files, memoryBytes, LINGER_NANOS);
  }

  /**
   * As that, with another length of a round.
   *
   * @param lingerNanos how long what is collected lies, if no more comes
   */
  WriteBehind(FilesById files, long memoryBytes, long lingerNanos) {
    this.files = files;
    this.lingerNanos = lingerNanos;
    this.maxBytes = Math.min(MAX_BYTES, memoryBytes / MEMORY_SHARE);
    this.newFiles = new NewFiles(files);
  }

  /** The writes of one file. */
  public PendingWrites of(long id) {
    return new PendingWrites(files, id, this);
  }

  /** An empty batch: a quarter of all. */
  Batch newBatch() {
    return new Batch((int) (maxBytes / BATCHES));
  }

  /** So much of one file is committed without waiting for more. */
  int worthBytes() {
    return (int) (maxBytes / BATCHES / WORTHS);
  }

  /** Whether a write of so many bytes may be collected. */
  public boolean collects(int count) {
    return count <= Math.min(MAX_WRITE_BYTES, maxBytes / BATCHES);
  }

  /** Takes memory; false if there is none, or if the volume might be short of room. */
  boolean take(int count) {
    if (bytes.addAndGet(count) <= maxBytes && hasRoom()) {
      return true;
    }
    release(count);
    return false;
  }

  private boolean hasRoom() {
    return files.roomBytes() >= ROOM_BYTES + maxBytes;
  }

  /** Gives memory back. */
  void release(long count) {
    bytes.addAndGet(-count);
  }

  /** A file has something to commit. */
  void add(PendingWrites file) {
    pending.add(file);
    start();
  }

  private void start() {
    if (running.compareAndSet(false, true)) {
      thread = Thread.ofVirtual().name("upcall-nio-writes").start(this::run);
    }
  }

  /** A file has nothing to commit. */
  void remove(PendingWrites file) {
    pending.remove(file);
  }

  /** So much is collected that it does not pay to wait for more. */
  void urge() {
    LockSupport.unpark(thread);
  }

  // ------------------------------------------------------------------ the thread

  private void run() {
    try {
      commitUntilIdle();
    } finally {
      running.set(false);
      if (newFiles.isWaiting() || pending.stream().anyMatch(PendingWrites::isWaiting)) {
        start(); // it came when this was about to end
      }
    }
  }

  private void commitUntilIdle() {
    int idle = 0;
    int roundsOfNew = 0;
    boolean lingers = true;
    while (idle < IDLE_ROUNDS) {
      if (lingers) {
        LockSupport.parkNanos(this, lingerNanos);
      }
      lingers = true;
      boolean none = true;
      for (PendingWrites file : pending) {
        PendingWrites.Left left = file.commitSome();
        none &= left == PendingWrites.Left.NOTHING;
        lingers &= left != PendingWrites.Left.MUCH;
      }
      roundsOfNew = newFiles.isWaiting() ? roundsOfNew + 1 : 0;
      none &= roundsOfNew == 0;
      if (roundsOfNew == NEW_ROUNDS) {
        makeSoon();
        roundsOfNew = 0;
      }
      idle = none ? idle + 1 : 0;
    }
  }

  private void makeSoon() {
    try {
      makeNew(/* again= */ false);
    } catch (RuntimeException kept) {
      // The files' channels, and who forces, hear of it.
    }
  }

  // ------------------------------------------------------------------ new files

  /**
   * The writes of a file that is to be made; null if it must be at once: the volume might be short
   * of room, or too many wait.
   */
  public @Nullable PendingWrites ofNew(Making making) {
    if (!files.makes() || !hasRoom() || newFiles.areMany()) {
      return null;
    }
    return new PendingWrites(files, making, this);
  }

  /** A file of {@link #ofNew} may be made from now on. */
  public void addNew(PendingWrites file) {
    newFiles.add(file);
    start();
  }

  /** Whether nothing is to be committed. */
  public boolean isSettled() {
    return pending.isEmpty() && !newFiles.areAny();
  }

  /** Whether there are files that are to be made. */
  public boolean hasNew() {
    return newFiles.areAny();
  }

  /** It is made, or given up. */
  void removeNew(PendingWrites file) {
    newFiles.remove(file);
  }

  /** Whoever has found a file asks for it by its id only when this has returned. */
  public void awaitMaking() {
    newFiles.awaitMaking();
  }

  /** Makes what is new by now on another thread, and does then what is next. Does not wait. */
  public void makeThen(Runnable next) {
    Thread.ofVirtual()
        .name("upcall-nio-new-files")
        .start(
            () -> {
              try {
                makeSoon();
              } finally {
                next.run();
              }
            });
  }

  /**
   * Makes all new files, and commits before what was written before, so that no file is there
   * without that. What cannot be made is told by {@link PendingWrites#whyNotMade}.
   *
   * @param again whether what could not be made is tried again
   */
  void makeNew(boolean again) {
    newFiles.make(again, () -> pending.forEach(PendingWrites::settleForOthers));
  }

  // ------------------------------------------------------------------ all of it

  /**
   * Commits what was collected before, of all files.
   *
   * @throws RuntimeException the first failure, when all was tried; also of files that were closed
   *     and could not be made since this was last asked
   */
  public void settle() {
    RuntimeException failure = null;
    for (PendingWrites file : List.copyOf(pending)) {
      try {
        file.settle();
      } catch (RuntimeException failed) {
        failure = failure == null ? failed : failure;
      }
    }
    if (newFiles.areAny()) {
      makeNew(/* again= */ true);
    }
    RuntimeException unmade = newFiles.failure();
    failure = failure == null ? unmade : failure;
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * As {@link #settle}, for one who is about to look or to change something: what failed is kept,
   * and is heard of by those whose writes they are.
   */
  public void settleForOthers() {
    if (!pending.isEmpty()) {
      pending.forEach(PendingWrites::settleForOthers);
    }
    if (newFiles.areAny()) {
      makeNew(/* again= */ false);
    }
  }
}
