package dev.upcall;

import dev.upcall.completion.Failure;
import dev.upcall.config.Limits;
import dev.upcall.io.Disk;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

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

  /** Why a batch is larger than the limits, if it is. */
  public Optional<Failure> refuses(List<FileRequest> requests) {
    Objects.requireNonNull(requests, "requests");
    if (requests.size() > maxBatchRequests) {
      return Optional.of(
          new Failure.TooLarge("the batch", requests.size(), maxBatchRequests, "requests"));
    }
    long bytes = stagingBytes(requests);
    return bytes > maxStagingBytes
        ? Optional.of(
            new Failure.TooLarge(
                "the content that a batch is given as bytes", bytes, maxStagingBytes))
        : Optional.empty();
  }

  /** The memory that the content given as bytes takes, in whole blocks. */
  public static long stagingBytes(List<FileRequest> requests) {
    Objects.requireNonNull(requests, "requests");
    long bytes = 0;
    for (FileRequest request : requests) {
      bytes +=
          switch (request) {
            case FileRequest.Put(_, FileContent.Bytes(byte[] content), _) ->
                wholeBlocks(content.length);
            case FileRequest.Splice splice -> wholeBlocks(splice.bytes().length);
            default -> 0;
          };
    }
    return bytes;
  }

  private static long wholeBlocks(int bytes) {
    return (bytes + Disk.BLOCK_BYTES - 1L) / Disk.BLOCK_BYTES * Disk.BLOCK_BYTES;
  }
}
