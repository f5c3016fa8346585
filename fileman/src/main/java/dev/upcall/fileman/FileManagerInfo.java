package dev.upcall.fileman;

/**
 * Numbers of a file manager.
 *
 * @param requestsInside requests taken and not yet completed
 * @param handlesOpen file handles and puts begun and not ended
 * @param reclaiming whether detached directories are being taken apart
 * @param reclaimedEntries entries of deleted trees taken apart since the opening
 * @param reclaimFailure why reclaiming stopped until the next opening, or empty
 */
public record FileManagerInfo(
    int requestsInside,
    int handlesOpen,
    boolean reclaiming,
    long reclaimedEntries,
    String reclaimFailure) {}
