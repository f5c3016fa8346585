package dev.upcall.guard;

import java.util.Objects;

/**
 * The caller that a request comes from.
 *
 * @param name of rules and logs; empty for a caller that has shown nothing
 * @param untilEpochNanos from when on what was shown counts no longer, in nanoseconds since 1970;
 *     {@code Long.MAX_VALUE} for never. Until then the same credentials have the same caller
 */
public record Caller(String name, long untilEpochNanos) {
  /** A caller that has shown no credentials. */
  public static final Caller ANONYMOUS = new Caller("", Long.MAX_VALUE);

  /** Checks that nothing is missing. */
  public Caller {
    Objects.requireNonNull(name, "name");
  }

  /** Whether nobody knows who it is. */
  public boolean isAnonymous() {
    return name.isEmpty();
  }
}
