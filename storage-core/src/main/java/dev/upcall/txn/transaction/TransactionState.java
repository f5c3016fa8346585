package dev.upcall.txn.transaction;

/** Where a transaction stands. */
enum TransactionState {
  /** Takes changes and reads. */
  OPEN,
  /** Its changes are on their way to the store as one. */
  COMMITTING,
  /** Committed or rolled back; holds nothing. */
  OVER
}
