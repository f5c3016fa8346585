package dev.upcall.txn.log;

/** Where the writer stands. */
public enum LogWriterState {
  /** Nothing is in flight. */
  IDLE,
  /** The named extents of a batch are being synced before the batch is written. */
  SYNCING_EXTENTS,
  /** A batch is being written. */
  WRITING,
  /** A batch and its named extents have been written and are being synced. */
  SYNCING_BATCH,
  /** A write or a sync failed; nothing is accepted any more. */
  FAILED,
  /** Closed in good order. */
  CLOSED
}
