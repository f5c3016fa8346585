package dev.upcall.fileman.background;

/** Where the reclaimer stands. */
public enum ReclaimerState {
  /** Knows of no detached directory. */
  IDLE,
  /** A commit that takes a few entries apart is under way. */
  STEPPING,
  /** Waits before it tries again, because the store was busy or full. */
  PAUSED,
  /** Gave up until the next opening: the store takes no changes, or is damaged there. */
  STOPPED,
  /** The file manager is closed. */
  CLOSED
}
