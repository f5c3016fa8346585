package dev.upcall.config;

import java.time.Duration;
import java.util.Objects;

/**
 * How those wait who want one of a limited number of places: for new content on its way, or for a
 * handle with writes to commit.
 *
 * @param maxWaiting how many may stand in line for places of one kind; one more is {@code Busy}
 * @param waitNanos how long one stands there before it gets {@code Busy}
 */
public record PlaceConfig(int maxWaiting, long waitNanos) {
  /** What is used unless said otherwise: 16,384, for half a minute. */
  public static final PlaceConfig DEFAULT = new PlaceConfig(16_384, 30_000_000_000L);

  /** Checks the limits. */
  public PlaceConfig {
    Limits.within("places.maxWaiting", maxWaiting, 0, 1 << 24);
    Limits.within("places.waitNanos", waitNanos, 1, Long.MAX_VALUE / 2);
  }

  /** The same with another time. */
  public PlaceConfig withWait(Duration longest) {
    Objects.requireNonNull(longest, "longest");
    return new PlaceConfig(maxWaiting, Limits.nanos(longest));
  }
}
