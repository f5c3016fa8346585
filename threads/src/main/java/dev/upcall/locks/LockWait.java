package dev.upcall.locks;

/**
 * How much threads have waited for a lock since it was made.
 *
 * @param lock which
 * @param waits how often it was not free
 * @param waitedNanos how long in all
 */
public record LockWait(LockRank lock, long waits, long waitedNanos) {}
