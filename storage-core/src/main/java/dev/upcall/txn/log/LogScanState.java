package dev.upcall.txn.log;

/** Where the scan stands. */
public enum LogScanState {
  /** Nothing was asked yet. */
  NEW,
  /** Following the chain of batches to its end. */
  WALKING,
  /** Looking behind the end for a mark that proves that there should be more. */
  SEARCHING,
  /** Checking the extents named by batches that no mark proves durable. */
  VERIFYING,
  /** Making durable what was found. */
  SYNCING,
  /** Waiting to be asked for the next record. */
  READY,
  /** Reading the next batch to hand out. */
  READING,
  /** All was handed out. */
  ENDED,
  /** The log or the device is bad; said once, and again to every later question. */
  FAILED
}
