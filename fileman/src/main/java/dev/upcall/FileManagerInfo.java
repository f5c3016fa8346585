package dev.upcall;

import java.time.Duration;
import java.util.Objects;

/**
 * Numbers of a file manager.
 *
 * @param requestsInside requests taken and not yet completed
 * @param handlesOpen file handles and puts begun and not ended
 * @param reclaiming whether detached directories are being taken apart
 * @param reclaimedEntries entries of deleted trees taken apart since the opening
 * @param reclaimFailure why reclaiming stopped until the next opening, or empty
 * @param collecting whether files that have expired are being looked for and deleted
 * @param expiredFiles files that expired and were deleted since the opening
 * @param expiryLagNanos for how long an expired file that nobody sees has been waiting to give its
 *     space back; 0 if there is none
 * @param expiryFailure why that stopped until the next opening, or empty
 */
public record FileManagerInfo(
    int requestsInside,
    int handlesOpen,
    boolean reclaiming,
    long reclaimedEntries,
    String reclaimFailure,
    boolean collecting,
    long expiredFiles,
    long expiryLagNanos,
    String expiryFailure) {
  /** Checks that nothing is missing. */
  public FileManagerInfo {
    Objects.requireNonNull(reclaimFailure, "reclaimFailure");
    Objects.requireNonNull(expiryFailure, "expiryFailure");
  }

  /** For how long an expired file has been waiting to give its space back; nothing if none is. */
  public Duration expiryLag() {
    return Duration.ofNanos(expiryLagNanos);
  }
}
