package dev.upcall.buffer;

import dev.upcall.config.Limits;
import dev.upcall.io.Disk;

/**
 * The limits of a buffer manager.
 *
 * @param budgetBytes off-heap memory for frames, allocated when first needed and never given back;
 *     at least one group of {@link #GROUP_BYTES}, rounded down to whole groups
 * @param regionBytes how much is taken from the JVM at once, a multiple of {@link #GROUP_BYTES};
 *     small, because the JVM zeroes it on the dispatcher when the helper that takes many ahead is
 *     late
 * @param maxWaiting how many requests may wait for memory; one more gets {@code Busy}
 * @param maxPrefetchBlocks how many blocks of read-ahead may be in flight; what is above is dropped
 * @param traceOrigins whether every lease remembers the place that took it (for tests: slow)
 * @param pageImages whether {@link PageImages} are kept
 */
public record BufferConfig(
    long budgetBytes,
    int regionBytes,
    int maxWaiting,
    int maxPrefetchBlocks,
    boolean traceOrigins,
    boolean pageImages) {
  /** The most blocks that are contiguous in memory: one frame, one group. */
  public static final int MAX_FRAME_BLOCKS = 16;

  /** Bytes of a page group, the unit in which memory changes its use: 64 KiB. */
  public static final int GROUP_BYTES = MAX_FRAME_BLOCKS * Disk.BLOCK_BYTES;

  private static final int DEFAULT_REGION_BYTES = 4 * GROUP_BYTES;
  private static final int DEFAULT_MAX_WAITING = 4096;
  private static final int DEFAULT_MAX_PREFETCH_BLOCKS = 2048;
  private static final long MAX_BUDGET_BYTES = (1L << 28) * Disk.BLOCK_BYTES;

  /** Checks the limits and how they fit together. */
  public BufferConfig {
    Limits.require(
        budgetBytes >= GROUP_BYTES && budgetBytes <= MAX_BUDGET_BYTES,
        "buffer memory must be "
            + GROUP_BYTES
            + " to "
            + MAX_BUDGET_BYTES
            + " bytes, not "
            + budgetBytes);
    Limits.require(
        regionBytes >= GROUP_BYTES && regionBytes % GROUP_BYTES == 0,
        "buffer region must be a multiple of " + GROUP_BYTES + " bytes, not " + regionBytes);
    Limits.require(
        maxWaiting >= 1, "at least one request must be allowed to wait, not " + maxWaiting);
    Limits.require(maxPrefetchBlocks >= 0, "negative read-ahead limit " + maxPrefetchBlocks);
  }

  /** The default limits for a budget; read-ahead takes at most an eighth of it. */
  public static BufferConfig ofBudget(long budgetBytes) {
    int eighthBlocks =
        (int) Math.min(Integer.MAX_VALUE, Math.max(0, budgetBytes) / Disk.BLOCK_BYTES / 8);
    return new BufferConfig(
        budgetBytes,
        DEFAULT_REGION_BYTES,
        DEFAULT_MAX_WAITING,
        Math.min(DEFAULT_MAX_PREFETCH_BLOCKS, eighthBlocks),
        /* traceOrigins= */ false,
        /* pageImages= */ true);
  }

  /** The same with every lease remembering the place that took it. */
  public BufferConfig tracingOrigins() {
    return new BufferConfig(
        budgetBytes, regionBytes, maxWaiting, maxPrefetchBlocks, true, pageImages);
  }

  /** The same with images of tree pages, or without. */
  public BufferConfig withPageImages(boolean kept) {
    return new BufferConfig(
        budgetBytes, regionBytes, maxWaiting, maxPrefetchBlocks, traceOrigins, kept);
  }

  /** The same with another limit of waiting requests. */
  public BufferConfig withMaxWaiting(int requests) {
    return new BufferConfig(
        budgetBytes, regionBytes, requests, maxPrefetchBlocks, traceOrigins, pageImages);
  }

  /**
   * An eighth of the memory, for the machines of a store whose content an engine of threads reads.
   */
  public BufferConfig machinesPart() {
    return ofBudget(Math.max(16L * GROUP_BYTES, budgetBytes / 8));
  }

  /** The other part. */
  public BufferConfig threadsPart() {
    return ofBudget(Math.max(16L * GROUP_BYTES, budgetBytes - budgetBytes / 8));
  }

  /** How many page groups the budget holds. */
  int groups() {
    return (int) (budgetBytes / GROUP_BYTES);
  }

  /** How many blocks the budget holds; frames are numbered below this. */
  public int capacityBlocks() {
    return groups() * MAX_FRAME_BLOCKS;
  }
}
