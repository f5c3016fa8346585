package dev.upcall;

/** The treatment of directories that are missing on the way to a name. */
public enum Parents {
  /** {@code NotFound}. */
  MUST_EXIST,
  /** They are made. */
  MAKE
}
