package dev.upcall.txn.log;

import dev.upcall.base.Invariants;

/**
 * The limits of a log writer. (The greatest batch, the parking level and the checkpoint level are
 * fixed fractions of the ring: an eighth, seven eighths, and a half.)
 *
 * @param batchTargetBytes a batch takes no further record once it would pass this size; a larger
 *     record gets a batch of its own
 * @param maxPendingBytes records appended but not durable yet; beyond it {@code hasRoom} says no
 * @param syncFirstBytes more named data than this in one batch is synced before the batch is
 *     written, which also bounds what recovery has to verify
 * @param markDelayNanos how long an idle log waits before it writes its mark
 */
public record LogConfig(
    int batchTargetBytes, int maxPendingBytes, long syncFirstBytes, long markDelayNanos) {
  /** 1 MiB batches, 16 MiB pending, 8 MiB of named data, a mark after 5 ms. */
  public static final LogConfig DEFAULT = new LogConfig(1 << 20, 16 << 20, 8L << 20, 5_000_000L);

  /** The latest that an idle log may write its mark. */
  private static final long MARK_LIMIT_NANOS = 10_000_000L;

  /** How long a record that nobody waits for may wait for others: a fifth of what a mark does. */
  long leisureNanos() {
    return markDelayNanos / 5;
  }

  /** Checks the limits. */
  public LogConfig {
    Invariants.check(batchTargetBytes >= 4096, "batch target", batchTargetBytes);
    Invariants.check(maxPendingBytes >= 4096, "pending limit", maxPendingBytes);
    Invariants.check(syncFirstBytes >= 0, "sync-first limit", syncFirstBytes);
    Invariants.check(
        markDelayNanos > 0 && markDelayNanos < MARK_LIMIT_NANOS, "mark delay", markDelayNanos);
  }
}
