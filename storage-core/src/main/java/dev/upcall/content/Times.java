package dev.upcall.content;

import dev.upcall.config.Limits;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * When something was made, changed and goes: nanoseconds since 1970.
 *
 * @param createdNanos birth
 * @param modifiedNanos last change of content; may be set by the user
 * @param changedNanos last change of anything
 * @param expiresNanos from when on the segment counts as gone, or {@link #NEVER}
 */
public record Times(long createdNanos, long modifiedNanos, long changedNanos, long expiresNanos) {
  /** The expiry of what stays until somebody deletes it. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final Instant FIRST = instantOf(Long.MIN_VALUE + NANOS_PER_SECOND);
  private static final Instant LAST = instantOf(Long.MAX_VALUE - 1);

  /** Times of what does not expire. */
  public Times(long createdNanos, long modifiedNanos, long changedNanos) {
    this(createdNanos, modifiedNanos, changedNanos, NEVER);
  }

  /** Birth, as a moment. */
  public Instant created() {
    return instantOf(createdNanos);
  }

  /** Last change of content, as a moment. */
  public Instant modified() {
    return instantOf(modifiedNanos);
  }

  /** Last change of anything, as a moment. */
  public Instant changed() {
    return instantOf(changedNanos);
  }

  /**
   * Last change of content as far as it can be true: a user may set {@link #modifiedNanos} to a
   * time that is yet to come, but the content was not changed after the last change of anything.
   */
  public long contentChangedNanos() {
    return Math.min(modifiedNanos, changedNanos);
  }

  /** From when on it counts as gone, if it does. */
  public Optional<Instant> expires() {
    return hasExpiry() ? Optional.of(instantOf(expiresNanos)) : Optional.empty();
  }

  /** The moment that lies so many nanoseconds behind 1970, or before it. */
  public static Instant instantOf(long epochNanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(epochNanos, NANOS_PER_SECOND), Math.floorMod(epochNanos, NANOS_PER_SECOND));
  }

  /**
   * Nanoseconds from 1970 to a moment.
   *
   * @param name what the moment is called where it was given
   * @throws IllegalArgumentException before the year 1677 and beyond 2262, which have none
   */
  public static long nanosOf(Instant moment, String name) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(moment, name);
    Limits.require(
        !moment.isBefore(FIRST) && !moment.isAfter(LAST),
        name + " is " + moment + ", must be from " + FIRST + " to " + LAST);
    return moment.getEpochSecond() * NANOS_PER_SECOND + moment.getNano();
  }

  /** Whether it will be gone, or is. */
  public boolean hasExpiry() {
    return expiresNanos != NEVER;
  }
}
