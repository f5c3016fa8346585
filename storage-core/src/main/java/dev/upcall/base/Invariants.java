package dev.upcall.base;

import org.jspecify.annotations.Nullable;

/**
 * Checks that are never switched off: one fact a call, with its values. A failed check is a
 * programmer's error.
 */
public final class Invariants {
  private Invariants() {}

  /** Thrown by a failed check; stops the store. */
  public static final class Violation extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public Violation(String message) {
      super(message);
    }
  }

  /** Checks one fact. */
  public static void check(boolean fact, String what) {
    if (!fact) {
      throw new Violation(what);
    }
  }

  /** Checks one fact about one value. */
  public static void check(boolean fact, String what, long value) {
    if (!fact) {
      throw new Violation(what + ": " + value);
    }
  }

  /** Checks one fact about two values. */
  public static void check(boolean fact, String what, long first, long second) {
    if (!fact) {
      throw new Violation(what + ": " + first + ", " + second);
    }
  }

  /** Checks one fact about one object. */
  public static void check(boolean fact, String what, Object value) {
    if (!fact) {
      throw new Violation(what + ": " + value);
    }
  }

  /** A value that must be there. */
  public static <T> T present(@Nullable T value, String what) {
    if (value == null) {
      throw new Violation("missing: " + what);
    }
    return value;
  }
}
