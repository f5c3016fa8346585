package dev.upcall.config;

import java.time.Duration;
import java.util.Objects;

/**
 * How often something is done again that others were quicker with, and how long is waited before:
 * by chance, up to a bound that doubles with each time.
 *
 * @param maxAttempts how often it is done in all
 * @param maxNanos it is not begun again after so long
 * @param firstPauseNanos the bound of the first pause
 * @param longestPauseNanos the bound of all pauses
 */
public record RetryConfig(
    int maxAttempts, long maxNanos, long firstPauseNanos, long longestPauseNanos) {
  /** What is used unless said otherwise: a hundred times, half a minute, 1 to 100 ms. */
  public static final RetryConfig DEFAULT =
      new RetryConfig(100, 30_000_000_000L, 1_000_000, 100_000_000);

  /** Checks the limits. */
  public RetryConfig {
    Limits.atLeast("retry.maxAttempts", maxAttempts, 1);
    Limits.atLeast("retry.maxNanos", maxNanos, 0);
    Limits.within("retry.longestPauseNanos", longestPauseNanos, 1, Long.MAX_VALUE / 2);
    Limits.within("retry.firstPauseNanos", firstPauseNanos, 1, longestPauseNanos);
  }

  /** The same, done so often at most. */
  public RetryConfig withMaxAttempts(int attempts) {
    return new RetryConfig(attempts, maxNanos, firstPauseNanos, longestPauseNanos);
  }

  /** The same, not begun again after so long. */
  public RetryConfig withMax(Duration max) {
    return new RetryConfig(
        maxAttempts,
        Limits.nanos(Objects.requireNonNull(max, "max")),
        firstPauseNanos,
        longestPauseNanos);
  }

  /** The same with other bounds of the first and of all pauses. */
  public RetryConfig withPauses(Duration first, Duration longest) {
    return new RetryConfig(
        maxAttempts,
        maxNanos,
        Limits.nanos(Objects.requireNonNull(first, "first")),
        Limits.nanos(Objects.requireNonNull(longest, "longest")));
  }

  /** The bound of the pause behind so many attempts, at least one. */
  public long pauseBoundNanos(int attempts) {
    long bound = firstPauseNanos;
    for (int i = 1; i < attempts && bound < longestPauseNanos; i++) {
      bound *= 2;
    }
    return Math.min(bound, longestPauseNanos);
  }
}
