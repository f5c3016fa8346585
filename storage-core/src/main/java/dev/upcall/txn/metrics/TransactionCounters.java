package dev.upcall.txn.metrics;

import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.txn.lock.LockCounters;

/**
 * What transactions are doing and have done; an immutable copy. Requests that stand alone are not
 * counted here, but for their waits for locks.
 *
 * @param open transactions that are open now
 * @param committed transactions that were committed
 * @param rolledBack transactions that their owners gave up, or the store's closing did
 * @param conflicts transactions that were rolled back because somebody else had changed what they
 *     changed
 * @param expired transactions that were rolled back because nobody asked anything of them
 * @param refused transactions that could not begin because too many were open
 * @param openNanos from the beginning of a transaction to its end
 * @param locks locks of transactions and of requests that wait for them
 */
public record TransactionCounters(
    int open,
    long committed,
    long rolledBack,
    long conflicts,
    long expired,
    long refused,
    DistributionSnapshot openNanos,
    LockCounters locks) {}
