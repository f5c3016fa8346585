package dev.upcall.txn.log;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.meter.Distribution;
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
  private final Distribution batchRecords = new Distribution();
  private long batches;
  private long records;
  private long blocks;
  private long syncs;

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

  /** A sync was asked for. */
  public void countSync() {
    syncs++;
  }

  /** What has become durable. */
  public LogCounters counters(int usedBlocks, int capacityBlocks) {
    return new LogCounters(
        batches, records, blocks, syncs, usedBlocks, capacityBlocks, batchRecords.snapshot());
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
    Invariants.check(head.at().equals(next), "batch for another place", head.at());
    Invariants.check(
        batch.recordCount() == 0 || batch.firstScn() > durableScn,
        "record before the durable SCN",
        batch.firstScn(),
        durableScn);
    LogPoint behind = batch.seal(head).next();
    Invariants.check(
        behind.position() > next.position(), "end of the log", behind.position(), next.position());
    next = behind;
  }

  /** The batch sealed last is durable. */
  public void durable(LogBatch batch) {
    batches++;
    records += batch.recordCount();
    blocks += batch.blocks();
    marked = batch.recordCount() == 0;
    // A batch of records proves what is before it, never itself: the next head marks it.
    if (!marked) {
      batchRecords.record(batch.recordCount());
      long scn = batch.lastScn();
      Invariants.check(scn > durableScn, "durable SCN goes back", scn, durableScn);
      durableScn = scn;
    }
  }
}
