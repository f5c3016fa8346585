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

/**
 * What the steps of one change may make a checkpoint write at most. What several steps change, as
 * the flushes of one file in a transaction do, is written once.
 */
final class ReservationSize {
  private final Map<StoreTree, List<byte[]>> changedKeys = new EnumMap<>(StoreTree.class);

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
    changedKeys.values().forEach(keys -> keys.sort(Arrays::compareUnsigned));
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
    changedKeys.computeIfAbsent(tree, _ -> new ArrayList<>()).add(key);
  }

  /** How many different keys of a tree are changed. */
  int changedKeys(StoreTree tree) {
    int different = 0;
    byte[] before = null;
    for (byte[] key : changedKeys.getOrDefault(tree, List.of())) {
      different += before != null && Arrays.equals(before, key) ? 0 : 1;
      before = key;
    }
    return different;
  }

  /** How many different blocks of content are unplaced because of it, copies apart. */
  int unplacedBlocks() {
    return unplacedBlocks;
  }
}
