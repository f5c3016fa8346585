package dev.upcall.txn.snapshot;

import dev.upcall.segment.ImagedBlocks;
import dev.upcall.segment.Unplaced;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.store.SnapshotInfo;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.state.FrozenView;
import java.util.ArrayList;
import java.util.List;

/** The moment of a named snapshot: everything is on the volume, and stays there. */
final class StoredState implements HeldSnapshot.Source {
  private final FrozenView view;
  private final Runnable over;

  /**
   * A moment.
   *
   * @param over run when nobody reads any more
   */
  StoredState(FrozenView view, Runnable over) {
    this.view = view;
    this.over = over;
  }

  @Override
  public View view() {
    return view;
  }

  /** What was unplaced is in the image that the checkpoint wrote. */
  @Override
  public Unplaced unplaced(long segment) {
    List<ExtentEntry> entries = new ArrayList<>();
    View.Scan scan = view.from(StoreTree.UNPLACED, TreeKeys.of(segment));
    while (scan.next() && TreeKeys.id(scan.key()) == segment) {
      long block = TreeKeys.number(scan.key(), Long.BYTES);
      entries.add(InodeCodec.decodePlainEntry(block, scan.value()));
    }
    return new ImagedBlocks(entries);
  }

  @Override
  public SnapshotInfo info(long ageNanos) {
    return new SnapshotInfo(view.scn(), ageNanos, /* heldBytes= */ 0, /* copiedBytes= */ 0);
  }

  @Override
  public void closed() {}

  @Override
  public void released() {
    over.run();
  }
}
