package dev.upcall.txn.engine;

import dev.upcall.completion.Failure;
import dev.upcall.txn.Store;
import dev.upcall.txn.WriterLimit;
import dev.upcall.txn.change.AsyncCommits;
import dev.upcall.txn.change.ChangeRun;
import dev.upcall.txn.change.StagingLimit;
import dev.upcall.txn.checkpoint.Checkpoint;
import dev.upcall.txn.checkpoint.SlotChanges;
import dev.upcall.txn.checkpoint.VolumeWatch;
import dev.upcall.txn.checkpoint.WriteBack;
import dev.upcall.txn.log.CommitLog;
import dev.upcall.txn.log.LogListener;
import dev.upcall.txn.reclaim.DeferredFree;
import dev.upcall.txn.reclaim.Reclaim;
import dev.upcall.txn.reclaim.Trimmer;
import dev.upcall.txn.snapshot.LiveReading;
import dev.upcall.txn.snapshot.SnapshotCatalogue;
import dev.upcall.txn.snapshot.SnapshotManager;
import dev.upcall.txn.state.StoreEntrance;
import dev.upcall.txn.transaction.TransactionManager;

/**
 * The machines of an open store, and who is let in to them.
 *
 * @param entrance how many requests are inside, and why no more come in
 * @param reading queries and pins of the present state
 * @param log makes changes durable
 * @param staging new content on its way
 * @param writers how much handles may collect before they commit
 * @param asyncCommits which changes are acknowledged before they are durable
 * @param writeBack gives unplaced content its place
 * @param checkpoint makes the state durable, so that the log becomes free
 * @param keys changes what opens the volume
 * @param watch looks whether the volume's file is still there
 * @param reclaim frees what deletions left
 * @param release makes freed space free, a little in each turn
 * @param trimmer gives free space back to the device
 * @param snapshots those that are open
 * @param namedSnapshots those that are on the volume
 * @param transactions those that are open, and what they have locked
 */
record StoreMachines(
    StoreEntrance entrance,
    LiveReading reading,
    CommitLog log,
    StagingLimit staging,
    WriterLimit writers,
    AsyncCommits asyncCommits,
    WriteBack writeBack,
    Checkpoint checkpoint,
    SlotChanges keys,
    VolumeWatch watch,
    Reclaim reclaim,
    DeferredFree release,
    Trimmer trimmer,
    SnapshotManager snapshots,
    SnapshotCatalogue namedSnapshots,
    TransactionManager transactions) {
  /** Whose machines they are: takes their changes and hears of what happens to them. */
  interface Owner
      extends Store, ChangeRun.Journal, WriteBack.Changes, Checkpoint.Listener, LogListener {
    /** A request has left, or new content has ended. */
    void drained();

    /** A sync failed: what was written before may be lost. */
    void syncFailed(Failure failure);

    /** The volume's file was removed or cut. */
    void volumeLost(Failure failure);
  }
}
