package dev.upcall.config;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of locking.
 *
 * @param timeoutNanos how long a request waits for a lock before it gets {@code LockTimeout}
 * @param maxLocksPerOwner locks that one transaction may hold; one more is {@code TooLarge}
 * @param maxLocks locks that all together may hold or wait for; one more is {@code Busy}
 */
public record LockConfig(long timeoutNanos, int maxLocksPerOwner, int maxLocks) {
  /** What is used unless said otherwise: five seconds, 65,536 a transaction, a million in all. */
  public static final LockConfig DEFAULT = new LockConfig(5_000_000_000L, 1 << 16, 1 << 20);

  /** Checks the limits. */
  public LockConfig {
    Limits.atLeast("locks.timeoutNanos", timeoutNanos, 1);
    Limits.atLeast("locks.maxLocksPerOwner", maxLocksPerOwner, 1);
    Limits.atLeast("locks.maxLocks", maxLocks, 1);
  }

  /** The same with another time of waiting for a lock. */
  public LockConfig withTimeout(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    return new LockConfig(Limits.nanos(timeout), maxLocksPerOwner, maxLocks);
  }
}
