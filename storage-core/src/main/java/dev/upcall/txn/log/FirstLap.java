package dev.upcall.txn.log;

import dev.upcall.base.Invariants;
import dev.upcall.space.Extent;
import dev.upcall.txn.volume.VolumeLayout;
import org.jspecify.annotations.Nullable;

/**
 * How much of the ring is prepared ({@link VolumeLayout#preparedLogBlocks}). A new volume has the
 * first step; the others follow when the log comes near them, and after its first lap the whole
 * ring is prepared for good. Nothing on the volume says how far that is: it follows from where the
 * log ends.
 */
final class FirstLap {
  /** One follows each batch, if any, and asks nobody. */
  private static final int MARK_BLOCKS = 1;

  private final VolumeLayout layout;
  private long prepared;
  private long wanted;

  /** It could not be prepared when that was tried last. */
  private boolean refused;

  /** Of a log that ends like this. */
  FirstLap(VolumeLayout layout, LogState end) {
    this.layout = layout;
    // Behind a batch there was room for its mark, too; behind a mark nothing more was promised.
    int markBlocks = end.marked() ? 0 : MARK_BLOCKS;
    this.prepared = layout.preparedLogBlocks(end.next().position() + markBlocks);
  }

  long preparedBlocks() {
    return prepared;
  }

  /** Whether a batch may end at a position; if not, what that takes is {@link #next}. */
  boolean admits(long position) {
    int needed = layout.preparedLogBlocks(position + MARK_BLOCKS);
    if (needed > prepared) {
      wanted = Math.max(wanted, needed);
    }
    return needed <= prepared;
  }

  /** The log has come so far: the step behind is prepared before somebody waits for it. */
  void cameTo(long position) {
    int needed = layout.preparedLogBlocks(position);
    Invariants.check(needed <= prepared, "log ahead of its ring", position, prepared);
    if (!refused) {
      wanted = Math.max(wanted, layout.preparedLogBlocks(position + layout.logStepBlocks() / 4));
    }
  }

  /** All of it is wanted, wherever the log is. */
  void wantWhole() {
    wanted = layout.logBlocks();
  }

  /** What is to be prepared now, as positions; null if nothing. */
  @Nullable Extent next() {
    return wanted <= prepared
        ? null
        : new Extent(prepared, Math.min(layout.logStepBlocks(), layout.logBlocks() - prepared));
  }

  /** That has been prepared, and synced. */
  void prepared(Extent run) {
    Invariants.check(run.block() == prepared, "prepared out of order", run.block(), prepared);
    prepared = run.end();
    refused = false;
  }

  /** That could not be prepared; it is tried again for whoever is not admitted. */
  void notPrepared() {
    wanted = 0;
    refused = true;
  }
}
