package dev.upcall.io;

/** The scheduling class of a device request, most urgent first. */
public enum IoClass {
  /** A read that somebody waits for. */
  FOREGROUND_READ,
  /** A log write or the sync of a commit. */
  LOG,
  /** Content that a commit waits for. */
  FOREGROUND_WRITE,
  /** Checkpoint, write-back, read-ahead, scrub, reclaim. */
  BACKGROUND
}
