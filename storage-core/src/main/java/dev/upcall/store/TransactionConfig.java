package dev.upcall.store;

import dev.upcall.config.Limits;
import dev.upcall.config.LockConfig;
import dev.upcall.config.RetryConfig;
import java.time.Duration;
import java.util.Objects;

/**
 * The limits of transactions.
 *
 * @param maxOpen transactions that may be open at once; one more is {@code Busy}
 * @param idleNanos a transaction of which nobody has asked anything for so long is rolled back, so
 *     that one that was forgotten does not hold its locks and its space for ever
 * @param locks the limits of locking
 * @param retry how those that others were quicker with are done again, where that is asked for
 */
public record TransactionConfig(int maxOpen, long idleNanos, LockConfig locks, RetryConfig retry) {
  /** What is used unless said otherwise: 1,024 at once, a minute without a request. */
  public static final TransactionConfig DEFAULT =
      new TransactionConfig(1024, 60_000_000_000L, LockConfig.DEFAULT, RetryConfig.DEFAULT);

  /** Checks the limits. */
  public TransactionConfig {
    Objects.requireNonNull(locks, "locks");
    Objects.requireNonNull(retry, "retry");
    Limits.atLeast("transactions.maxOpen", maxOpen, 1);
    Limits.atLeast("transactions.idleNanos", idleNanos, 1);
  }

  /** The same with another time without a request behind which one is rolled back. */
  public TransactionConfig withIdle(Duration longest) {
    Objects.requireNonNull(longest, "longest");
    return new TransactionConfig(maxOpen, Limits.nanos(longest), locks, retry);
  }

  /** The same with other limits of locking. */
  public TransactionConfig withLocks(LockConfig others) {
    return new TransactionConfig(maxOpen, idleNanos, others, retry);
  }

  /** The same with another way of doing them again. */
  public TransactionConfig withRetry(RetryConfig other) {
    return new TransactionConfig(maxOpen, idleNanos, locks, other);
  }
}
