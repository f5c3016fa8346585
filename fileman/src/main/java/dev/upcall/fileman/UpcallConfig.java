package dev.upcall.fileman;

import dev.upcall.fsm.Invariants;
import dev.upcall.io.DiskKind;
import dev.upcall.io.NettyReactor;
import dev.upcall.io.VolumeSpec;
import dev.upcall.txn.LossBound;
import dev.upcall.txn.TransactionConfig;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Settings of an embedded store: one immutable record, checked here, printed by {@code upcall
 * config}.
 *
 * @param memoryBytes memory of the store: three quarters off-heap for content, a quarter on the
 *     heap for tree pages; at least 16 MiB
 * @param capBytes what the volume may grow to, at least 64 MiB; 0 for what it was last opened with,
 *     or {@link #DEFAULT_CAP_BYTES} for a new one. It can be raised later to 16 times what the
 *     volume was made with, and always to {@link #DEFAULT_CAP_BYTES} when it was made with a
 *     sixteenth of that or more
 * @param disk how the volume is read and written
 * @param files the file manager's limits
 * @param loss what a crash may take of what was acknowledged with {@code ASYNC}
 * @param readOnly whether the volume is left as it is, byte for byte. It is opened also where the
 *     log is damaged before its end, with what was committed before, and where the free-space map
 *     is damaged; {@link Upcall#info} says so. Nothing is created
 * @param transactions limits of transactions and locks
 * @param engine who serves the calls
 * @param diskThreads threads that read and write where a pool of them drives the volume ({@link
 *     DiskKind#CHANNEL}), 1 to {@value #MAX_DISK_THREADS}; with a ring it means nothing, and in the
 *     engines of threads the callers are the pool
 * @param commitPollNanos how long the store's thread, waiting for nothing but the log, may look for
 *     the end of a durable write before it sleeps, in nanoseconds, 0 to {@value
 *     #MAX_COMMIT_POLL_NANOS}; 0: it sleeps at once. It costs processor time that nobody else
 *     wants, and saves a commit the waking of an idle core. Only with a ring, more than one
 *     processor, and a device whose recent durable writes took less
 */
public record UpcallConfig(
    long memoryBytes,
    long capBytes,
    DiskKind disk,
    FileManagerConfig files,
    LossBound loss,
    boolean readOnly,
    TransactionConfig transactions,
    Engine engine,
    int diskThreads,
    long commitPollNanos) {
  /** The smallest frame memory. */
  public static final long MIN_MEMORY_BYTES = 16L << 20;

  /** The smallest cap of a volume. */
  public static final long MIN_CAP_BYTES = 64L << 20;

  /** The most threads of a disk that is driven by a pool. */
  public static final int MAX_DISK_THREADS = 1024;

  /** The longest time of looking for the end of a durable write. */
  public static final long MAX_COMMIT_POLL_NANOS = 10_000_000;

  /** The cap of a new volume unless said otherwise. */
  public static final long DEFAULT_CAP_BYTES = 256L << 30;

  /** What is used unless said otherwise: 256 MiB of memory. */
  public static final UpcallConfig DEFAULT =
      new UpcallConfig(
          256L << 20,
          0,
          DiskKind.AUTO,
          FileManagerConfig.DEFAULT,
          LossBound.DEFAULT,
          false,
          TransactionConfig.DEFAULT,
          Engine.FSM,
          VolumeSpec.DEFAULT_POOL_THREADS,
          NettyReactor.DEFAULT_POLL_NANOS);

  /** Checks the limits. */
  public UpcallConfig {
    Invariants.check(memoryBytes >= MIN_MEMORY_BYTES, "memoryBytes too small", memoryBytes);
    Invariants.check(
        files.maxStagingBytes() <= memoryBytes / 8,
        "files.maxStagingBytes is more than an eighth of memoryBytes",
        files.maxStagingBytes(),
        memoryBytes);
    Invariants.check(
        diskThreads >= 1 && diskThreads <= MAX_DISK_THREADS,
        "diskThreads out of range",
        diskThreads);
    Invariants.check(
        commitPollNanos >= 0 && commitPollNanos <= MAX_COMMIT_POLL_NANOS,
        "commitPollNanos out of range",
        commitPollNanos);
    Invariants.check(capBytes == 0 || capBytes >= MIN_CAP_BYTES, "capBytes too small", capBytes);
  }

  /** With another frame memory. */
  public UpcallConfig withMemoryBytes(long bytes) {
    return new UpcallConfig(
        bytes,
        capBytes,
        disk,
        files,
        loss,
        readOnly,
        transactions,
        engine,
        diskThreads,
        commitPollNanos);
  }

  /** With another cap. */
  public UpcallConfig withCapBytes(long bytes) {
    return new UpcallConfig(
        memoryBytes,
        bytes,
        disk,
        files,
        loss,
        readOnly,
        transactions,
        engine,
        diskThreads,
        commitPollNanos);
  }

  /** With another disk. */
  public UpcallConfig withDisk(DiskKind choice) {
    return new UpcallConfig(
        memoryBytes,
        capBytes,
        choice,
        files,
        loss,
        readOnly,
        transactions,
        engine,
        diskThreads,
        commitPollNanos);
  }

  /** With other limits of the file manager. */
  public UpcallConfig withFiles(FileManagerConfig limits) {
    return new UpcallConfig(
        memoryBytes,
        capBytes,
        disk,
        limits,
        loss,
        readOnly,
        transactions,
        engine,
        diskThreads,
        commitPollNanos);
  }

  /** With another bound of what a crash may take. */
  public UpcallConfig withLoss(LossBound bound) {
    return new UpcallConfig(
        memoryBytes,
        capBytes,
        disk,
        files,
        bound,
        readOnly,
        transactions,
        engine,
        diskThreads,
        commitPollNanos);
  }

  /** With the volume left as it is, or not. */
  public UpcallConfig withReadOnly(boolean leaveAsItIs) {
    return new UpcallConfig(
        memoryBytes,
        capBytes,
        disk,
        files,
        loss,
        leaveAsItIs,
        transactions,
        engine,
        diskThreads,
        commitPollNanos);
  }

  /** With other limits of transactions and locks. */
  public UpcallConfig withTransactions(TransactionConfig limits) {
    return new UpcallConfig(
        memoryBytes,
        capBytes,
        disk,
        files,
        loss,
        readOnly,
        limits,
        engine,
        diskThreads,
        commitPollNanos);
  }

  /** With another engine. */
  public UpcallConfig withEngine(Engine other) {
    return new UpcallConfig(
        memoryBytes,
        capBytes,
        disk,
        files,
        loss,
        readOnly,
        transactions,
        other,
        diskThreads,
        commitPollNanos);
  }

  /** With another number of threads of a disk that is driven by a pool. */
  public UpcallConfig withDiskThreads(int threads) {
    return new UpcallConfig(
        memoryBytes,
        capBytes,
        disk,
        files,
        loss,
        readOnly,
        transactions,
        engine,
        threads,
        commitPollNanos);
  }

  /** With another time of looking for the end of a durable write; 0: none. */
  public UpcallConfig withCommitPollNanos(long nanos) {
    return new UpcallConfig(
        memoryBytes,
        capBytes,
        disk,
        files,
        loss,
        readOnly,
        transactions,
        engine,
        diskThreads,
        nanos);
  }

  /** All settings by name, in a fixed order. */
  public Map<String, Object> describe() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("memoryBytes", memoryBytes);
    all.put("capBytes", capBytes);
    all.put("disk", disk);
    all.put("commitPollNanos", commitPollNanos);
    all.put("engine", engine);
    all.put("files.maxRequests", files.maxRequests());
    all.put("files.maxBatchRequests", files.maxBatchRequests());
    all.put("files.maxStagingBytes", files.maxStagingBytes());
    all.put("files.maxStagingBatches", files.maxStagingBatches());
    all.put("files.listStepEntries", files.listStepEntries());
    all.put("files.reclaimStepEntries", files.reclaimStepEntries());
    all.put("loss.maxBytes", loss.maxBytes());
    all.put("loss.maxNanos", loss.maxNanos());
    all.put("readOnly", readOnly);
    all.put("transactions.maxOpen", transactions.maxOpen());
    all.put("transactions.idleNanos", transactions.idleNanos());
    all.put("transactions.locks.timeoutNanos", transactions.locks().timeoutNanos());
    all.put("transactions.locks.maxLocksPerOwner", transactions.locks().maxLocksPerOwner());
    all.put("transactions.locks.maxLocks", transactions.locks().maxLocks());
    return all;
  }
}
