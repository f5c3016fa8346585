package dev.upcall.buffer;

import dev.upcall.coding.CodingCounters;

/**
 * What a buffer manager has done since it was made, and where it stands.
 *
 * @param hits requests that found everything in memory
 * @param misses requests that had to wait for the disk, their own load or another's
 * @param evictions frames whose clean content was dropped to make room
 * @param loads requests to the disk
 * @param loadedBytes what they asked for
 * @param failedLoads of these, how many the disk refused
 * @param corruptFrames frames whose content did not match its checksums
 * @param prefetches read-ahead requests that started a load
 * @param prefetchesDropped read-ahead requests that were dropped, in whole or in part, for lack of
 *     memory or because too many were in flight
 * @param parked requests that had to wait for memory
 * @param refused requests that got {@code Busy}
 * @param budgetBytes the limit
 * @param allocatedBytes memory taken from the JVM so far
 * @param usedBytes memory in frames
 * @param pinnedBytes memory in frames that somebody holds or that are being loaded; cannot be
 *     evicted
 * @param privateBytes memory in allocated frames that have not been published (dirty content)
 * @param waiting requests that wait for memory now
 * @param leases leases that are out now
 * @param coding what was compressed and decoded
 */
public record BufferCounters(
    long hits,
    long misses,
    long evictions,
    long loads,
    long loadedBytes,
    long failedLoads,
    long corruptFrames,
    long prefetches,
    long prefetchesDropped,
    long parked,
    long refused,
    long budgetBytes,
    long allocatedBytes,
    long usedBytes,
    long pinnedBytes,
    long privateBytes,
    int waiting,
    int leases,
    CodingCounters coding) {}
