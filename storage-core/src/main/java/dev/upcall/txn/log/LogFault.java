package dev.upcall.txn.log;

/** Ways in which a log is broken on purpose: the crash workload must notice each of them. */
enum LogFault {
  /** Acknowledges when the write completed, although nothing made it durable. */
  ACKNOWLEDGE_BEFORE_SYNC,
  /** Takes the durable write of a batch for a sync of the extents that it names. */
  DURABLE_WRITE_TAKEN_FOR_SYNC,
  /** Recovery believes a batch without looking at its checksum. */
  CHECKSUM_NOT_CHECKED,
  /** Recovery takes a bad batch in the middle of the log for its tail. */
  BAD_BLOCK_TAKEN_FOR_TAIL,
  /** Recovery believes a batch whatever position, sequence and predecessor it names. */
  POSITION_NOT_BOUND,
  /** The mark of a batch claims the batch itself. */
  MARK_LIES_AHEAD,
  /** A batch that names much says that it was synced before, and was not. */
  SYNC_FIRST_SKIPPED,
  /** Recovery believes in extents that no mark proves, without looking at them. */
  EXTENTS_NOT_COMPARED,
  /** Recovery takes its own sync for one of what a sync before it may have given up. */
  TAIL_NOT_WRITTEN_ANEW,
  /** Recovery hands out the first half of a batch and goes on behind it. */
  HALF_A_BATCH_REPLAYED
}
