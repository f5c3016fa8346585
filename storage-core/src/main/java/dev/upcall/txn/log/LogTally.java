package dev.upcall.txn.log;

import dev.upcall.fsm.meter.Distribution;

/** What a log has made durable. */
public final class LogTally {
  private final Distribution batchRecords = new Distribution();
  private long batches;
  private long records;
  private long blocks;
  private long syncs;

  /** A batch is durable; 0 records for a mark. */
  void durable(LogBatch batch) {
    batches++;
    records += batch.recordCount();
    blocks += batch.blocks();
    if (batch.recordCount() > 0) {
      batchRecords.record(batch.recordCount());
    }
  }

  /** A sync was asked for. */
  public void sync() {
    syncs++;
  }

  public LogCounters snapshot(int usedBlocks, int capacityBlocks) {
    return new LogCounters(
        batches, records, blocks, syncs, usedBlocks, capacityBlocks, batchRecords.snapshot());
  }
}
