package dev.upcall.txn;

import dev.upcall.buffer.BufferConfig;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Limits;
import dev.upcall.config.PlaceConfig;
import dev.upcall.segment.StagerConfig;
import dev.upcall.store.LossBound;
import dev.upcall.store.SnapshotConfig;
import dev.upcall.store.TransactionConfig;
import dev.upcall.txn.log.LogConfig;

/**
 * Every limit of an open store.
 *
 * @param buffers memory for content
 * @param pageCacheBytes heap memory for tree pages
 * @param stager limits of new content
 * @param log limits of the log writer
 * @param loss what a crash may take of what was acknowledged early
 * @param maxRequests how many queries and changes may be inside at once; more get {@code Busy}
 * @param growthBlocks the least step by which the volume grows
 * @param releaseExtents how many freed extents at most become free in one turn of the dispatcher;
 *     each takes about a microsecond
 * @param trim how space goes back to the device
 * @param snapshots limits of snapshots
 * @param transactions limits of transactions
 * @param places how those wait who bring new content, or whose handles have writes to commit
 */
public record StoreConfig(
    BufferConfig buffers,
    long pageCacheBytes,
    StagerConfig stager,
    LogConfig log,
    LossBound loss,
    int maxRequests,
    long growthBlocks,
    int releaseExtents,
    TrimConfig trim,
    SnapshotConfig snapshots,
    TransactionConfig transactions,
    PlaceConfig places) {
  /** How many freed extents become free in one turn where nobody says otherwise. */
  public static final int DEFAULT_RELEASE_EXTENTS = 32;

  private static final long MIN_MEMORY_BYTES = 8L << 20;

  /** Checks the limits and how they fit together. */
  public StoreConfig {
    Limits.require(
        pageCacheBytes >= 1 << 16, "page cache must be at least 64 KiB, not " + pageCacheBytes);
    Limits.require(maxRequests >= 1, "at least one request must fit inside, not " + maxRequests);
    Limits.require(growthBlocks >= 1, "growth step must be positive, not " + growthBlocks);
    Limits.require(releaseExtents >= 1, "an extent at least becomes free, not " + releaseExtents);
  }

  /**
   * The limits for a store that may use so much memory: three quarters off-heap for content, one
   * quarter on the heap for tree pages.
   */
  public static StoreConfig ofMemory(long memoryBytes) {
    Limits.require(
        memoryBytes >= MIN_MEMORY_BYTES,
        "a store needs at least " + MIN_MEMORY_BYTES + " bytes of memory, not " + memoryBytes);
    return new StoreConfig(
        BufferConfig.ofBudget(memoryBytes / 4 * 3),
        memoryBytes / 4,
        StagerConfig.standard(),
        LogConfig.DEFAULT,
        LossBound.DEFAULT,
        1 << 16,
        4096,
        DEFAULT_RELEASE_EXTENTS,
        TrimConfig.DEFAULT,
        SnapshotConfig.DEFAULT,
        TransactionConfig.DEFAULT,
        PlaceConfig.DEFAULT);
  }

  /** The same with another bound of what a crash may take. */
  public StoreConfig withLoss(LossBound other) {
    return new StoreConfig(
        buffers,
        pageCacheBytes,
        stager,
        log,
        other,
        maxRequests,
        growthBlocks,
        releaseExtents,
        trim,
        snapshots,
        transactions,
        places);
  }

  /** Blocks of frames that the contents of open transactions may take: an eighth of them. */
  public long transactionBlocks() {
    return Math.max(1, buffers.capacityBlocks() / 8);
  }

  /** The same with other limits of transactions. */
  public StoreConfig withTransactions(TransactionConfig other) {
    return new StoreConfig(
        buffers,
        pageCacheBytes,
        stager,
        log,
        loss,
        maxRequests,
        growthBlocks,
        releaseExtents,
        trim,
        snapshots,
        other,
        places);
  }

  /** The same with other limits of snapshots. */
  public StoreConfig withSnapshots(SnapshotConfig other) {
    return new StoreConfig(
        buffers,
        pageCacheBytes,
        stager,
        log,
        loss,
        maxRequests,
        growthBlocks,
        releaseExtents,
        trim,
        other,
        transactions,
        places);
  }

  /** The same with another way of waiting for places. */
  public StoreConfig withPlaces(PlaceConfig other) {
    return new StoreConfig(
        buffers,
        pageCacheBytes,
        stager,
        log,
        loss,
        maxRequests,
        growthBlocks,
        releaseExtents,
        trim,
        snapshots,
        transactions,
        other);
  }

  /** The same with another way of new content to its place. */
  public StoreConfig withContent(ContentConfig other) {
    return new StoreConfig(
        buffers,
        pageCacheBytes,
        stager.withContent(other),
        log,
        loss,
        maxRequests,
        growthBlocks,
        releaseExtents,
        trim,
        snapshots,
        transactions,
        places);
  }

  /** How much new content may hold frames at once, so that it cannot take all of them. */
  public int maxStagers() {
    return Math.max(1, buffers.capacityBlocks() / 64);
  }

  /** How much more of it may hold one block each: all of that takes a sixteenth of the frames. */
  public int maxSmallStagers() {
    return Math.max(1, buffers.capacityBlocks() / 16);
  }
}
