package dev.upcall.txn.log;

import dev.upcall.completion.Failure;

/** What a log tells the engine; upcalls through the dispatcher's FIFO. */
public interface LogListener {
  /**
   * Half of the ring is in use: a checkpoint should start, unless one is running. Called once each
   * time the level is passed, at once by a log that continues one so full, again after a {@link
   * CommitLog#trim} that did not bring the log below it, and whenever somebody asks for room above
   * it.
   */
  void checkpointWanted();

  /**
   * A log write or sync failed, or {@link CommitLog#failElsewhere} was said: nothing will be
   * durable any more. Called once, and before the batch in flight has ended.
   */
  void logFailed(Failure failure);
}
