package dev.upcall.txn.snapshot;

import dev.upcall.io.Disk;
import dev.upcall.segment.Unplaced;
import dev.upcall.store.SnapshotInfo;
import dev.upcall.tree.Tree;
import dev.upcall.txn.View;
import dev.upcall.txn.checkpoint.Checkpoint;
import dev.upcall.txn.state.FrozenView;
import dev.upcall.txn.state.OpenSnapshots;
import dev.upcall.txn.state.StoreState;

/** The state as it was when this was made, held in memory by a pin of its SCN. */
final class CurrentState implements HeldSnapshot.Source {
  private final StoreState state;
  private final Checkpoint checkpoint;
  private final Runnable closed;
  private final Runnable over;
  private final FrozenView view;
  private final OpenSnapshots.Entry entry;

  /**
   * The state as it is now.
   *
   * @param timeNanos the time by which it will be looked at
   * @param closed run when what was copied for it is not needed any more
   * @param over run when nobody reads any more: gives back the pin of the present SCN
   */
  CurrentState(
      StoreState state, long timeNanos, Checkpoint checkpoint, Runnable closed, Runnable over) {
    this.state = state;
    this.checkpoint = checkpoint;
    this.closed = closed;
    this.over = over;
    this.view = new FrozenView(state, Tree::publish, () -> timeNanos);
    this.entry = state.snapshots().add(view.scn());
  }

  @Override
  public View view() {
    return view;
  }

  @Override
  public Unplaced unplaced(long segment) {
    return state.segments().unplaced(entry, segment);
  }

  @Override
  public SnapshotInfo info(long ageNanos) {
    long blocks = state.map().pendingBlocks(view.scn(), checkpoint.durable().scn());
    return new SnapshotInfo(view.scn(), ageNanos, blocks * Disk.BLOCK_BYTES, entry.copiedBytes());
  }

  @Override
  public void closed() {
    state.snapshots().remove(entry);
    closed.run();
  }

  @Override
  public void released() {
    over.run();
  }
}
