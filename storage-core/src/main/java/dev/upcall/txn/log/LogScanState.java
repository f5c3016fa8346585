package dev.upcall.txn.log;

import dev.upcall.fsm.DescribedState;

/** Where the scan stands. */
public enum LogScanState implements DescribedState {
  /** Nothing was asked yet. */
  NEW("nothing was asked yet"),
  /** Following the chain of batches to its end. */
  WALKING("following the chain of batches to its end"),
  /** Looking behind the end for a mark that proves that there should be more. */
  SEARCHING("looking behind the end for a mark that proves that there should be more"),
  /** Checking the extents named by batches that no mark proves durable. */
  VERIFYING("checking the extents named by batches that no mark proves durable"),
  /** Making durable what was found. */
  SYNCING("making durable what was found"),
  /** Waiting to be asked for the next record. */
  READY("waiting to be asked for the next record"),
  /** Reading the next batch to hand out. */
  READING("reading the next batch to hand out"),
  /** All was handed out. */
  ENDED("all was handed out"),
  /** The log or the device is bad; said once, and again to every later question. */
  FAILED("the log or the device is bad, said once, and again to every later question");

  private final String description;

  LogScanState(String description) {
    this.description = description;
  }

  @Override
  public String description() {
    return description;
  }
}
