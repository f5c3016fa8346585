package dev.upcall.nio.collected;

import dev.upcall.fsm.wakeup.VirtualThreads;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
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

  /** Rounds in which there was nothing to do, before the thread ends. */
  private static final int IDLE_ROUNDS = 2;

  /** Room that the volume must have beyond what is collected, so that it cannot be short of it. */
  private static final long ROOM_BYTES = 32L << 20;

  private static final long MAX_BYTES = 32L << 20;
  private static final int MEMORY_SHARE = 8;
  private static final int BATCHES = 4;
  private static final int WORTHS = 8;

  private final FilesById files;
  private final Threads threads;
  private final long maxBytes;
  private final long lingerNanos;
  private final AtomicLong bytes = new AtomicLong();
  private final ConcurrentMap<Long, PendingWrites> pending = new ConcurrentHashMap<>();
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile @Nullable Thread thread;

  /** Starts a thread; null if there is none to be had. */
  interface Threads {
    @Nullable Thread start(String name, Runnable task);
  }

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
    this(files, memoryBytes, lingerNanos, VirtualThreads::start);
  }

  /** As that, with other threads. */
  WriteBehind(FilesById files, long memoryBytes, long lingerNanos, Threads threads) {
    this.files = files;
    this.threads = threads;
    this.lingerNanos = lingerNanos;
    this.maxBytes = Math.min(MAX_BYTES, memoryBytes / MEMORY_SHARE);
  }

  /**
   * The writes of one file, none so far or what nobody has committed yet. One at a time may have
   * them.
   */
  public PendingWrites of(long id) {
    PendingWrites present = pending.get(id);
    return present == null ? new PendingWrites(files, id, this) : present;
  }

  /** Whether a file has something that is not committed. */
  public boolean isPending(long id) {
    return pending.containsKey(id);
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

  /**
   * A file is about to have something to commit; false if there is no thread to be had that commits
   * it. Then the next one tries again.
   */
  boolean add(PendingWrites file) {
    pending.put(file.id(), file);
    boolean started = false;
    try {
      started = start();
    } finally {
      if (!started) {
        remove(file);
      }
    }
    return started;
  }

  /** One at a time: nobody may rely on a thread that another one fails to start. */
  private synchronized boolean start() {
    if (!running.compareAndSet(false, true)) {
      return true;
    }
    Thread started = threads.start("upcall-nio-writes", this::run);
    if (started == null) {
      running.set(false);
      return false;
    }
    thread = started;
    return true;
  }

  /** A file has nothing to commit. */
  void remove(PendingWrites file) {
    pending.remove(file.id(), file);
  }

  /** So much is collected that it does not pay to wait for more. */
  void urge() {
    LockSupport.unpark(thread);
  }

  // ------------------------------------------------------------------ the thread

  private void run() {
    do {
      try {
        commitUntilIdle();
      } finally {
        running.set(false);
      }
    } while (goesOn());
  }

  /** Whether something came when the thread was about to end, and no other thread has begun. */
  private boolean goesOn() {
    if (pending.values().stream().noneMatch(PendingWrites::isWaiting)
        || !running.compareAndSet(false, true)) {
      return false;
    }
    thread = Thread.currentThread();
    return true;
  }

  private void commitUntilIdle() {
    int idle = 0;
    boolean lingers = true;
    while (idle < IDLE_ROUNDS) {
      if (lingers) {
        LockSupport.parkNanos(this, lingerNanos);
      }
      lingers = true;
      boolean none = true;
      for (PendingWrites file : pending.values()) {
        PendingWrites.Left left = file.commitSome();
        none &= left == PendingWrites.Left.NOTHING;
        lingers &= left != PendingWrites.Left.MUCH;
      }
      idle = none ? idle + 1 : 0;
    }
  }

  // ------------------------------------------------------------------ all of it

  /** Whether nothing is to be committed. */
  public boolean isSettled() {
    return pending.isEmpty();
  }

  /**
   * Commits what was collected before, of all files; throws the first failure, behind which nothing
   * more is tried.
   */
  public void settle() {
    for (PendingWrites file : List.copyOf(pending.values())) {
      file.close(); // a file that is gone misses nothing
    }
  }

  /**
   * As {@link #settle}, for one who is about to look or to change something: what failed is kept,
   * and is heard of by those whose writes they are.
   */
  public void settleForOthers() {
    if (!pending.isEmpty()) {
      pending.values().forEach(PendingWrites::settleForOthers);
    }
  }

  /**
   * As {@link #settleForOthers}, for one who is about to make a request to the store, which commits
   * it; null if there is nothing left to commit.
   */
  public @Nullable Ahead ahead() {
    if (pending.isEmpty()) {
      return null;
    }
    Ahead ahead = Ahead.of(files, pending.values());
    if (ahead == null) {
      settleForOthers();
    }
    return ahead;
  }
}
