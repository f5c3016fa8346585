package dev.upcall.fileman.machine;

/** Where a put stands. */
enum PutState {
  /** Takes bytes. */
  COLLECTING,
  /** Brings the rest to the volume. */
  FINISHING,
  /** The namespace is being changed. */
  COMMITTING,
  /** Committed, refused or given up. */
  OVER
}
