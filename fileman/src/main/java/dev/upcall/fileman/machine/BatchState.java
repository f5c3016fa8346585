package dev.upcall.fileman.machine;

/** Where a batch stands. */
enum BatchState {
  /** Waits until other batches have let go of enough memory. */
  WAITING,
  /** Brings the content given as bytes to the store. */
  STAGING,
  /** Is planned, applied and logged. */
  COMMITTING,
  /** Was acknowledged or refused; staged content that nobody took is freed. */
  OVER
}
