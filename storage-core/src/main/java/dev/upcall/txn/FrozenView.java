package dev.upcall.txn;

import dev.upcall.fsm.Invariants;
import dev.upcall.segment.Inode;
import dev.upcall.segment.InodeCodec;
import dev.upcall.tree.Frozen;
import org.jspecify.annotations.Nullable;

/**
 * The state as it was at one SCN. Its pages must be kept on disk by a pin as long as it is used.
 */
final class FrozenView implements View {
  private final Frozen[] trees = new Frozen[Trees.COUNT + 1];
  private final long scn;
  private final long timeNanos;

  /**
   * The state as it is now, for good. Costs the same whatever the size.
   *
   * @param timeNanos the time by which it will be looked at
   */
  FrozenView(StoreState state, long timeNanos) {
    this.timeNanos = timeNanos;
    scn = state.scn();
    for (int tree : StoreState.FROZEN_TREES) {
      trees[tree] = state.tree(tree).freeze(scn);
    }
  }

  @Override
  public byte @Nullable [] get(int tree, byte[] key) {
    return tree(tree).get(key);
  }

  @Override
  public Scan from(int tree, byte[] key) {
    return new TreeScan(tree(tree).from(key));
  }

  @Override
  public @Nullable Inode inode(long id) {
    byte[] value = tree(Trees.INODES).get(TreeKeys.of(id));
    return value == null ? null : InodeCodec.decode(id, value);
  }

  @Override
  public long scn() {
    return scn;
  }

  @Override
  public long timeNanos() {
    return timeNanos;
  }

  private Frozen tree(int tree) {
    return Invariants.present(trees[tree], "a frozen tree");
  }
}
