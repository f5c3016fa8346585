package dev.upcall.txn;

import dev.upcall.fsm.Failure;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.log.LogListener;

/**
 * The machines of an open store, and who is let in to them.
 *
 * @param admission how many requests are inside, and why no more come in
 * @param reading queries and pins of the present state
 * @param log makes changes durable
 * @param staging new content on its way
 * @param writers how much handles may collect before they commit
 * @param earlyAcks which changes are acknowledged before they are durable
 * @param writeBack gives unplaced content its place
 * @param checkpoint makes the state durable, so that the log becomes free
 * @param placingQueue who waits until unplaced content has become less
 * @param reclaim frees what deletions left
 * @param release makes freed space free, a little in each turn
 * @param trimmer gives free space back to the device
 * @param snapshots those that are open
 * @param namedSnapshots those that are on the volume
 * @param transactions those that are open, and what they have locked
 */
record StoreMachines(
    Admission admission,
    LiveReading reading,
    CommitLog log,
    StagingDesk staging,
    WriterLimit writers,
    EarlyAcks earlyAcks,
    WriteBack writeBack,
    Checkpoint checkpoint,
    PlacingQueue placingQueue,
    Reclaim reclaim,
    SpaceRelease release,
    Trimmer trimmer,
    SnapshotDesk snapshots,
    SnapshotCatalogue namedSnapshots,
    TransactionDesk transactions) {
  /** Whose machines they are: takes their changes and hears of what happens to them. */
  interface Owner
      extends Store, ChangeRun.Journal, WriteBack.Changes, Checkpoint.Listener, LogListener {
    /** A request has left, or new content has ended. */
    void drained();

    /** A sync failed: what was written before may be lost. */
    void syncFailed(Failure failure);
  }
}
