package dev.upcall.txn.log;

import dev.upcall.fsm.DescribedState;

/** Where the writer stands. */
public enum LogWriterState implements DescribedState {
  /** Nothing is in flight. */
  IDLE("nothing is in flight"),
  /** The named extents of a batch are being synced before the batch is written. */
  SYNCING_EXTENTS("the named extents of a batch are being synced before the batch is written"),
  /** A batch is being written. */
  WRITING("a batch is being written"),
  /** A batch and its named extents have been written and are being synced. */
  SYNCING_BATCH("a batch and its named extents have been written and are being synced"),
  /** A write or a sync failed; nothing is accepted any more. */
  FAILED("a write or a sync failed, nothing is accepted any more"),
  /** Closed in good order. */
  CLOSED("closed in good order");

  private final String description;

  LogWriterState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
