package dev.upcall;

import dev.upcall.config.Limits;
import dev.upcall.io.Disk;

/**
 * The limits of a file manager.
 *
 * @param maxRequests requests inside at once; more are refused with {@code Busy}
 * @param maxBatchRequests requests of one batch
 * @param maxStagingBytes content given as bytes of all batches under way (in whole blocks); a batch
 *     that has more is {@code TooLarge}, others wait their turn. At most an eighth of the frame
 *     memory
 * @param maxStagingBatches batches that bring their bytes to the store at once; others wait their
 *     turn
 * @param listStepEntries entries that a listing looks at before it lets others run
 * @param reclaimStepEntries entries of a deleted tree that are taken apart in one commit, or files
 *     that have expired
 */
public record FileManagerConfig(
    int maxRequests,
    int maxBatchRequests,
    long maxStagingBytes,
    int maxStagingBatches,
    int listStepEntries,
    int reclaimStepEntries) {
  /** What is used unless said otherwise. */
  public static final FileManagerConfig DEFAULT =
      new FileManagerConfig(65_536, 4096, 2L << 20, 16, 64, 8);

  /** Checks the limits. */
  public FileManagerConfig {
    Limits.atLeast("files.maxRequests", maxRequests, 1);
    Limits.atLeast("files.maxBatchRequests", maxBatchRequests, 1);
    Limits.atLeast("files.maxStagingBytes", maxStagingBytes, Disk.BLOCK_BYTES);
    Limits.atLeast("files.maxStagingBatches", maxStagingBatches, 1);
    Limits.within("files.listStepEntries", listStepEntries, 1, Listing.MAX_ENTRIES);
    Limits.atLeast("files.reclaimStepEntries", reclaimStepEntries, 1);
  }
}
