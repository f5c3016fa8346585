package dev.upcall.txn.state;

import dev.upcall.segment.Overlay;
import dev.upcall.txn.StoreTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of one change may make a checkpoint write at most. What several steps change, as
 * the flushes of one file in a transaction do, is written once.
 */
final class ReservationSize {
  private final int[] keys = new int[StoreTree.values().length];
  private final int unplacedBlocks;

  private record Key(StoreTree tree, byte[] bytes) {
    /** By content, which a record of an array does not do. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that && that.tree == tree && Arrays.equals(that.bytes, bytes);
    }

    @Override
    public int hashCode() {
      return 31 * tree.number() + Arrays.hashCode(bytes);
    }
  }

  private record Block(long segment, long block) {}

  ReservationSize(List<Op> ops) {
    Set<Key> changed = new LinkedHashSet<>();
    List<Op.OverlayWrite> writes = new ArrayList<>();
    for (Op op : ops) {
      switch (op) {
        case Op.Put put -> changed(changed, put.tree(), put.key());
        case Op.Remove remove -> changed(changed, remove.tree(), remove.key());
        case Op.OverlayWrite write -> writes.add(write);
        case Op.OverlayDrop _, Op.OverlayCopy _, Op.Allocate _, Op.Free _, Op.Unchanged _ -> {}
      }
    }
    unplacedBlocks = unplaced(writes);
  }

  private static int unplaced(List<Op.OverlayWrite> writes) {
    if (writes.size() == 1) {
      return writes.getFirst().blocks();
    }
    Set<Block> blocks = new LinkedHashSet<>();
    for (Op.OverlayWrite write : writes) {
      for (Overlay.Part part : write.parts()) {
        for (long block = part.block(); block < part.end(); block++) {
          blocks.add(new Block(write.segment(), block));
        }
      }
    }
    return blocks.size();
  }

  private void changed(Set<Key> changed, StoreTree tree, byte[] key) {
    if (changed.add(new Key(tree, key))) {
      keys[tree.ordinal()]++;
    }
  }

  /** How many different keys of a tree are changed. */
  int changedKeys(StoreTree tree) {
    return keys[tree.ordinal()];
  }

  /** How many different blocks of content are unplaced because of it, copies apart. */
  int unplacedBlocks() {
    return unplacedBlocks;
  }
}
