package dev.upcall.txn.state;

import dev.upcall.segment.Overlay;
import dev.upcall.txn.StoreTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the steps of one change may make a checkpoint write at most. What several steps change, as
 * the flushes of one file in a transaction do, is written once.
 */
final class ReservationSize {
  private final Map<StoreTree, Set<byte[]>> changedKeys = new EnumMap<>(StoreTree.class);

  private final int unplacedBlocks;

  private record Block(long segment, long block) {}

  ReservationSize(List<Op> ops) {
    List<Op.OverlayWrite> writes = new ArrayList<>();
    for (Op op : ops) {
      switch (op) {
        case Op.Put put -> changed(put.tree(), put.key());
        case Op.Remove remove -> changed(remove.tree(), remove.key());
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

  private void changed(StoreTree tree, byte[] key) {
    Set<byte[]> keys = changedKeys.get(tree);
    if (keys == null) {
      keys = new TreeSet<>(Arrays::compareUnsigned);
      changedKeys.put(tree, keys);
    }
    keys.add(key);
  }

  /** How many different keys of a tree are changed. */
  int changedKeys(StoreTree tree) {
    Set<byte[]> keys = changedKeys.get(tree);
    return keys == null ? 0 : keys.size();
  }

  /** How many different blocks of content are unplaced because of it, copies apart. */
  int unplacedBlocks() {
    return unplacedBlocks;
  }
}
