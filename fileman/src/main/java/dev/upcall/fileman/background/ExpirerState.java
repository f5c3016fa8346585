package dev.upcall.fileman.background;

/** Where the expirer stands. */
public enum ExpirerState {
  /** Knows of no file that will expire. */
  IDLE,
  /** Sleeps until the next file expires. */
  WAITING,
  /** A commit that collects a few files is under way. */
  STEPPING,
  /** Waits before it tries again, because the store was busy or full. */
  PAUSED,
  /** Gave up until the next opening: the store takes no changes, or is damaged there. */
  STOPPED,
  /** The file manager is closed. */
  CLOSED
}
