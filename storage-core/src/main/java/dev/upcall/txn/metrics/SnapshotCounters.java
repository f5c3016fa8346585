package dev.upcall.txn.metrics;

/**
 * The snapshots that there are; an immutable copy.
 *
 * @param open those without a name: a reader's, a transaction's
 * @param refused those that a program did not get because too many were open
 * @param copiedBytes heap memory of what they see and the store has changed since
 * @param named those that stay until they are dropped
 * @param keptBlocks blocks that nobody needs but snapshots with names
 * @param oldestAgeNanos for how long the oldest one with a name has been there, by the wall clock;
 *     0 when there is none
 */
public record SnapshotCounters(
    int open, long refused, long copiedBytes, int named, long keptBlocks, long oldestAgeNanos) {}
