package dev.upcall.config;

import dev.upcall.base.Invariants;
import java.time.Duration;
import java.util.Objects;

/**
 * The checks of a configuration record's constructor. A module's limits live in one immutable
 * record; its constructor names the first setting that is out of range, and relations between
 * settings are checked there too. A bad setting is the configuring person's error, hence {@link
 * IllegalArgumentException} and not a {@link Invariants.Violation}.
 */
public final class Limits {
  private static final long MOST_SECONDS = Long.MAX_VALUE / 1_000_000_000;

  private Limits() {}

  /** Returns the value if it lies in [least, most]; throws with the setting's name otherwise. */
  public static long within(String setting, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          setting + " is " + value + ", must be from " + least + " to " + most);
    }
    return value;
  }

  /** Returns the value if it is at least {@code least}. */
  public static long atLeast(String setting, long value, long least) {
    return within(setting, value, least, Long.MAX_VALUE);
  }

  /**
   * A duration in nanoseconds; what is longer or shorter than a number can say is the largest or
   * the smallest.
   */
  public static long nanos(Duration duration) {
    Objects.requireNonNull(duration, "duration");
    long seconds = duration.toSeconds();
    if (seconds >= MOST_SECONDS) {
      return Long.MAX_VALUE;
    }
    return seconds <= -MOST_SECONDS ? Long.MIN_VALUE : duration.toNanos();
  }

  /** Checks a relation between settings; {@code rule} says it in words. */
  public static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }
}
