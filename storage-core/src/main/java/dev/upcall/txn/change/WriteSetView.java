package dev.upcall.txn.change;

import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.InodeCodec;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import org.jspecify.annotations.Nullable;

/** A view with changes over it that are not part of the state. Good for one run. */
public final class WriteSetView implements View {
  private final View below;
  private final WriteSet cover;

  public WriteSetView(View below, WriteSet cover) {
    this.below = below;
    this.cover = cover;
  }

  @Override
  public byte @Nullable [] get(StoreTree tree, byte[] key) {
    WriteSet.Entry covered = cover.get(tree, key);
    return covered == null ? below.get(tree, key) : covered.value();
  }

  @Override
  public Scan from(StoreTree tree, byte[] key) {
    return cover.from(tree, key, below.from(tree, key));
  }

  @Override
  public Scan below(StoreTree tree, byte[] key) {
    return cover.below(tree, key, below.below(tree, key));
  }

  @Override
  public @Nullable Inode inode(long id) {
    WriteSet.Entry covered = cover.get(StoreTree.INODES, TreeKeys.of(id));
    if (covered == null) {
      return below.inode(id);
    }
    byte[] value = covered.value();
    return value == null ? null : InodeCodec.decode(id, value);
  }

  @Override
  public long scn() {
    return below.scn();
  }

  @Override
  public long timeNanos() {
    return below.timeNanos();
  }
}
