package dev.upcall.access;

/** Where the closing of a segment stands: the report's SegmentClose machine with its failures. */
public enum SegmentCloseState {
  /** Nobody has asked. */
  START,
  /** Collected writes are being committed. */
  FLUSH_REQUESTED,
  /** The segment is clean and is being given back. */
  CLOSE_REQUESTED,
  /** Closed. */
  DONE,
  /** The flush failed: the segment is still open and dirty, and may be closed again. */
  FAILED
}
