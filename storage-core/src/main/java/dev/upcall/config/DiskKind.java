package dev.upcall.config;

/** Which implementation drives a volume. */
public enum DiskKind {
  /** The ring where there is one, else the channel, which is then logged with the reason. */
  AUTO,
  /** io_uring, on the dispatcher's own ring. */
  RING,
  /** A pool of threads over {@code FileChannel}. */
  CHANNEL
}
