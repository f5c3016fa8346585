package dev.upcall;

/** What happens when directories on the way to a name are missing. */
public enum Parents {
  /** {@code NotFound}. */
  MUST_EXIST,
  /** They are made. */
  MAKE
}
