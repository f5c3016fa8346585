package dev.upcall.txn.lock;

import dev.upcall.fsm.meter.DistributionSnapshot;

/**
 * What a lock table is doing and has done.
 *
 * @param held locks that are held now
 * @param waiting requests that wait now
 * @param timeouts requests that waited too long
 * @param deadlocks requests that were refused because waiting would have closed a cycle
 * @param refused requests for more locks than a limit allows
 * @param waitNanos how long those waited that had to, whatever came of it
 */
public record LockCounters(
    int held,
    int waiting,
    long timeouts,
    long deadlocks,
    long refused,
    DistributionSnapshot waitNanos) {}
