package dev.upcall.io;

/** The states of a disk's life. */
public enum DiskState {
  /** Requests are accepted. */
  OPEN,
  /** Requests are refused; those accepted before are being served. */
  DRAINING,
  /** Nothing is in flight; descriptors and lock are being released. */
  RELEASING,
  /** Everything is released. */
  CLOSED
}
