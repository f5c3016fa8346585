package dev.upcall.txn.recovery;

/** Where the opening of a store stands. */
enum RecoveryState {
  /** Nothing was read yet. */
  NEW,
  /** The newest superblock is being found. */
  READING_SUPERBLOCK,
  /** The free-space map is being read. */
  LOADING_MAP,
  /** Content that was unplaced at the checkpoint comes back into memory. */
  LOADING_UNPLACED,
  /** The log behind the checkpoint is applied again, record by record. */
  REPLAYING,
  /** What the named snapshots hold is being read. */
  LOADING_SNAPSHOTS,
  /** The state is what was acknowledged. */
  DONE,
  /** The volume cannot be opened. */
  FAILED
}
