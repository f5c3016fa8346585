package dev.upcall.io;

/** The scheduling class of a device request, most urgent first. */
public enum IoClass {
  /** A read that somebody waits for. */
  FOREGROUND_READ,
  /** A log write or the sync of a commit. */
  LOG,
  /** Content that a commit waits for, or background work that somebody waits for. */
  FOREGROUND_WRITE,
  /** A read that somebody will soon wait for. */
  READ_AHEAD,
  /** Checkpoint, write-back, scrub, reclaim: what nobody waits for. */
  BACKGROUND;

  /** A row in tables of one process; the order of the enum never reaches a disk or a wire. */
  @SuppressWarnings("EnumOrdinal")
  int index() {
    return ordinal();
  }
}
