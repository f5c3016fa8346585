package dev.upcall.txn.checkpoint;

/** Where a checkpoint stands. */
enum CheckpointState {
  /** None is running. */
  IDLE,
  /** Unplaced content gets its place, by ordinary changes. */
  PLACING,
  /** Everything is frozen; what is still unplaced is being written as an image. */
  WRITING_IMAGE,
  /** Dirty pages of the frozen trees are being written. */
  WRITING_PAGES,
  /** Changed chunks of the free-space map are being written. */
  WRITING_MAP,
  /** All that was written is being made durable, and the log up to the freeze with it. */
  SYNCING,
  /** The superblock copies are being written. */
  WRITING_SUPERBLOCK
}
