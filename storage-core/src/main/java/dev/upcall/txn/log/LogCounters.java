package dev.upcall.txn.log;

/**
 * What a writer has done since it was made.
 *
 * @param batches batches made durable, marks included
 * @param records records made durable
 * @param blocks blocks of log written
 * @param syncs syncs asked for
 */
public record LogCounters(long batches, long records, long blocks, long syncs) {}
