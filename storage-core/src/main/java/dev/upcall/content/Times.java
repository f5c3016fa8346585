package dev.upcall.content;

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

  /** Times of what does not expire. */
  public Times(long createdNanos, long modifiedNanos, long changedNanos) {
    this(createdNanos, modifiedNanos, changedNanos, NEVER);
  }

  /** Whether it will be gone, or is. */
  public boolean hasExpiry() {
    return expiresNanos != NEVER;
  }
}
