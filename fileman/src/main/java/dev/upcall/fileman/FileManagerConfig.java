package dev.upcall.fileman;

import dev.upcall.fsm.Invariants;

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
      new FileManagerConfig(65_536, 4096, 2L << 20, 16, 64, 32);

  /** Checks the limits. */
  public FileManagerConfig {
    Invariants.check(maxRequests >= 1, "maxRequests too small", maxRequests);
    Invariants.check(maxBatchRequests >= 1, "maxBatchRequests too small", maxBatchRequests);
    Invariants.check(maxStagingBatches >= 1, "maxStagingBatches too small", maxStagingBatches);
    Invariants.check(maxStagingBytes >= 4096, "maxStagingBytes too small", maxStagingBytes);
    Invariants.check(
        listStepEntries >= 1 && listStepEntries <= Listing.MAX_ENTRIES,
        "listStepEntries out of range",
        listStepEntries);
    Invariants.check(reclaimStepEntries >= 1, "reclaimStepEntries too small", reclaimStepEntries);
  }
}
