package dev.upcall.txn.log;

import dev.upcall.fsm.meter.DistributionSnapshot;

/**
 * What a writer has done since it was made, and how full the log is.
 *
 * @param batches batches made durable, marks included
 * @param records records made durable
 * @param blocks blocks of log written
 * @param syncs syncs asked for
 * @param usedBlocks blocks of the ring that may not be written over yet
 * @param capacityBlocks blocks of the ring
 * @param batchRecords how many records each batch that has records made durable together: commits
 *     per durable write, or per sync where one is needed
 */
public record LogCounters(
    long batches,
    long records,
    long blocks,
    long syncs,
    int usedBlocks,
    int capacityBlocks,
    DistributionSnapshot batchRecords) {}
