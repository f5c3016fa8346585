package dev.upcall.txn.state;

import dev.upcall.base.Invariants;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.tree.Tree;
import dev.upcall.tree.TreeVersion;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.volume.StoreRoot;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state as it was at one SCN. Its pages must be kept on disk by a pin as long as they may have
 * to be loaded. Whoever has it may look at it: any thread, if the time may be asked on any.
 */
public final class FrozenView implements View {
  private final TreeVersion[] trees = new TreeVersion[StoreTree.values().length];
  private final @Nullable RecentLooks looks;

  /** Only in a store that is broken on purpose. */
  private final @Nullable StoreState now;

  private final long scn;
  private final LongSupplier timeNanos;

  /**
   * The state as it is now, for good. Costs the same whatever the size.
   *
   * @param version how a tree is kept as it is
   * @param timeNanos the time by which it will be looked at
   */
  public FrozenView(StoreState state, Function<Tree, TreeVersion> version, LongSupplier timeNanos) {
    this.timeNanos = timeNanos;
    this.looks = state.looks();
    this.now = state.faults().has(StoreFault.ENTRIES_OF_ANY_MOMENT) ? state : null;
    scn = state.scn();
    for (StoreTree tree : StoreTree.FROZEN) {
      trees[tree.ordinal()] = version.apply(state.tree(tree));
    }
  }

  /** The state of a named snapshot, at the time when it was made. */
  public FrozenView(StoreState state, SnapshotRecord record) {
    this.timeNanos = record::createdNanos;
    this.now = null;
    this.looks = null; // which knows of changes since the store was opened
    this.scn = record.scn();
    for (StoreTree tree : StoreTree.values()) {
      trees[tree.ordinal()] = state.newTree(tree, null).publish();
    }
    for (StoreRoot root : record.roots()) {
      StoreTree tree = StoreTree.of(root.treeId());
      trees[tree.ordinal()] = state.newTree(tree, Roots.decode(root)).publish();
    }
  }

  @Override
  public byte @Nullable [] get(StoreTree tree, byte[] key) {
    RecentLooks recent = tree == StoreTree.NAMES ? looks : null;
    return recent == null ? tree(tree).get(key) : recent.name(tree(tree), key, scn);
  }

  @Override
  public Scan from(StoreTree tree, byte[] key) {
    return new TreeScan(tree(tree).from(key));
  }

  @Override
  public Scan below(StoreTree tree, byte[] key) {
    return new TreeScan(tree(tree).below(key));
  }

  @Override
  public @Nullable Inode inode(long id) {
    RecentLooks recent = looks;
    if (recent != null) {
      return recent.inode(tree(StoreTree.INODES), id, scn);
    }
    byte[] value = tree(StoreTree.INODES).get(TreeKeys.of(id));
    return value == null ? null : InodeCodec.decode(id, value);
  }

  @Override
  public long scn() {
    return scn;
  }

  @Override
  public long timeNanos() {
    return timeNanos.getAsLong();
  }

  private TreeVersion tree(StoreTree tree) {
    StoreState live = now;
    if (live != null && tree == StoreTree.ENTRIES) {
      return new TreeVersion(live.tree(tree).root());
    }
    return Invariants.present(trees[tree.ordinal()], "a tree of the view");
  }
}
