package dev.upcall.io.replay;

import dev.upcall.fsm.meter.DistributionSnapshot;

/**
 * What has come of a replay so far; an immutable copy.
 *
 * @param played entries that were sent
 * @param skipped entries that were not: they make room, cut the end, or were not to be played
 * @param done entries of which all has been answered
 * @param failed how many of those failed
 * @param failure the first failure in words; empty if there is none
 * @param reads how long reads took, from being sent to their answer, in nanoseconds
 * @param writes the same of writes
 * @param others the same of syncs and of what gives room back
 * @param lateNanos how much later than it should each was sent
 * @param tookNanos from the first that was sent to the last answer
 */
public record ReplayCounts(
    long played,
    long skipped,
    long done,
    long failed,
    String failure,
    DistributionSnapshot reads,
    DistributionSnapshot writes,
    DistributionSnapshot others,
    DistributionSnapshot lateNanos,
    long tookNanos) {}
