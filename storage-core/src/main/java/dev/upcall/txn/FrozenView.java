package dev.upcall.txn;

import dev.upcall.fsm.Invariants;
import dev.upcall.segment.Inode;
import dev.upcall.segment.InodeCodec;
import dev.upcall.tree.Frozen;
import dev.upcall.tree.Tree;
import dev.upcall.txn.log.StoreRoot;
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

  /** The state of a named snapshot, at the time when it was made. */
  FrozenView(StoreState state, SnapshotRecord record) {
    this.timeNanos = record.createdNanos();
    this.scn = record.scn();
    for (int tree = 1; tree <= Trees.COUNT; tree++) {
      trees[tree] = new Tree(state.treeConfig(), tree, null, state.pages()).freeze(scn);
    }
    for (StoreRoot root : record.roots()) {
      int tree = root.treeId();
      trees[tree] =
          new Tree(state.treeConfig(), tree, Roots.decode(root), state.pages()).freeze(scn);
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
