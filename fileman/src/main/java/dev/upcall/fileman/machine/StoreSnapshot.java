package dev.upcall.fileman.machine;

import dev.upcall.FileSnapshot;
import dev.upcall.store.SnapshotInfo;
import dev.upcall.txn.Snapshot;

/** The files in a snapshot of the store. */
final class StoreSnapshot extends StoreReads implements FileSnapshot {
  private final Snapshot snapshot;
  private final Runnable over;

  /**
   * Takes a snapshot over.
   *
   * @param over run when it is closed
   */
  StoreSnapshot(Snapshot snapshot, Entrance entrance, int stepEntries, Runnable over) {
    super(snapshot, entrance, stepEntries);
    this.snapshot = snapshot;
    this.over = over;
  }

  @Override
  public long scn() {
    return snapshot.scn();
  }

  @Override
  public SnapshotInfo info() {
    return snapshot.info();
  }

  @Override
  public void close() {
    snapshot.close();
    over.run();
  }
}
