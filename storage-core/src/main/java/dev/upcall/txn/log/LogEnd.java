package dev.upcall.txn.log;

import dev.upcall.txn.volume.LogPoint;

/**
 * The written end of a log: where the next batch goes, what is durable before it, and whether a
 * mark on disk says so. Everything under the protection of who writes; only {@link #durableScn} is
 * for any thread.
 */
public final class LogEnd {
  private final long volumeId;
  private final long incarnation;
  private LogPoint next;
  private volatile long durableScn;
  private boolean marked;
  private final LogTally tally = new LogTally();

  /**
   * An end that continues another's log.
   *
   * @param incarnation a random number, a new one for every writer ever made on a volume
   */
  public LogEnd(long volumeId, long incarnation, LogState start) {
    this.volumeId = volumeId;
    this.incarnation = incarnation;
    this.next = start.next();
    this.durableScn = start.lastScn();
    this.marked = start.marked();
  }

  /** Where the next batch goes: behind all that have been sealed. */
  public LogPoint next() {
    return next;
  }

  /** The last SCN whose record is durable. */
  public long durableScn() {
    return durableScn;
  }

  /** Whether a mark proves that everything is durable. */
  public boolean isMarked() {
    return marked;
  }

  /** What has become durable. */
  public LogTally tally() {
    return tally;
  }

  /**
   * The head that a batch gets here.
   *
   * @param flags as in {@link LogBatch#head}
   */
  public BatchHeader head(LogBatch batch, int flags) {
    return batch.head(volumeId, incarnation, next, durableScn, flags);
  }

  /** Ends the filling of a batch, and gives it the place that its head says. */
  public void seal(LogBatch batch, BatchHeader head) {
    next = batch.seal(head).next();
  }

  /** The batch sealed last is durable. */
  public void durable(LogBatch batch) {
    tally.durable(batch);
    marked = batch.recordCount() == 0;
    if (!marked) {
      durableScn = batch.lastScn();
    }
  }
}
