package dev.upcall.txn.log;

import dev.upcall.fsm.Failure;

/** What a log writer tells the engine; upcalls through the dispatcher's FIFO. */
public interface LogListener {
  /**
   * Half of the ring is in use: a checkpoint should start, unless one is running. Called once each
   * time the level is passed, again after a {@link LogWriter#trim} that did not bring the log below
   * it, and whenever a writer parks above it.
   */
  void checkpointWanted();

  /** A log write or sync failed: nothing will be durable any more. Called once. */
  void logFailed(Failure failure);
}
