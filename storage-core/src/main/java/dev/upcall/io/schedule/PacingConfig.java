package dev.upcall.io.schedule;

import dev.upcall.config.Limits;

/**
 * How the background goes about its work while others read, see {@link Pacing}.
 *
 * @param windowNanos for so long after a read the device counts as being read from; 0 switches
 *     pacing off
 * @param restFactor after a request of the background that took d, the device is left alone for so
 *     many times d
 * @param maxRestNanos but never for longer than this
 */
public record PacingConfig(long windowNanos, int restFactor, long maxRestNanos) {
  /** The background takes what it can get. */
  public static final PacingConfig OFF = new PacingConfig(0, 0, 0);

  /** A fifteenth of the device while somebody has read in the last 50 ms. */
  public static final PacingConfig DEFAULT = new PacingConfig(50_000_000, 14, 10_000_000);

  /** Checks the limits. */
  public PacingConfig {
    Limits.within("windowNanos", windowNanos, 0, 60_000_000_000L);
    Limits.within("restFactor", restFactor, 0, 1000);
    Limits.within("maxRestNanos", maxRestNanos, 0, 1_000_000_000L);
  }
}
