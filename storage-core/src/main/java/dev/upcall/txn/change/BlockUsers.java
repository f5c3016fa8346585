package dev.upcall.txn.change;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.space.Extent;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.EditFault;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.View;
import dev.upcall.txn.state.Op;
import dev.upcall.txn.state.SharedRun;
import dev.upcall.txn.state.StoreFault;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How many users the blocks have that one change touches: what tree 7 says, and what the change
 * does to it. A block is used by an inode that names it, by a leaf of an extent tree that names it,
 * or, if it is itself a page of one, by the pages and inodes that point to it. Whoever stops using
 * a block gives it back only if it was the last.
 *
 * <p>Works on what a view shows, in the fetch phase: all that comes out are steps that put and
 * remove entries of tree 7 and free blocks, so that applying and replaying them needs no counting.
 */
final class BlockUsers {
  private final View view;
  private final Faults faults;

  /** Users beyond the first; -1 is a block that nobody uses any more. */
  private final BlockCounts more = new BlockCounts();

  /** What the tree has, of all that was looked at, by the last block. */
  private final TreeMap<Long, SharedRun> stored = new TreeMap<>();

  /** Those of {@link #stored} that were only looked at, and stay as they lie. */
  private final Set<Long> lookedAt = new LinkedHashSet<>();

  private boolean counting;
  private boolean asked;

  BlockUsers(View view, Faults faults) {
    this.view = view;
    this.faults = faults;
  }

  /** The steps as the log keeps them: all, but in a store that is broken on purpose. */
  static List<Op> logged(List<Op> ops, Faults faults) {
    return faults.has(StoreFault.COUNT_NOT_LOGGED)
        ? ops.stream()
            .filter(op -> !(op instanceof Op.Put put && put.tree() == StoreTree.SHARED))
            .toList()
        : ops;
  }

  /** How many more blocks steps give back than they take. */
  static long givenBack(List<Op> ops) {
    long blocks = 0;
    for (Op op : ops) {
      switch (op) {
        case Op.Free free -> blocks += free.extent().blocks();
        case Op.Allocate allocate -> blocks -= allocate.extent().blocks();
        case Op.OverlayWrite write -> blocks -= write.blocks();
        case Op.Put _, Op.Remove _, Op.OverlayDrop _, Op.OverlayCopy _, Op.Unchanged _ -> {}
      }
    }
    return blocks;
  }

  /**
   * Whether anything is shared, or will be by this change. Otherwise whoever stops using a block is
   * the last, and need not ask.
   */
  boolean isCounting() {
    if (!asked) {
      counting |=
          view.from(StoreTree.SHARED, new byte[0]).next()
              && !faults.has(StoreFault.FREED_ALTHOUGH_SHARED);
      asked = true;
    }
    return counting;
  }

  /** Blocks get one more user. */
  void use(Extent extent) {
    counting = true;
    touch(extent);
    if (!faults.has(StoreFault.CLONE_NOT_COUNTED)) {
      more.add(extent.block(), extent.end(), 1);
    }
  }

  /** Blocks lose a user. */
  void leave(Extent extent) {
    touch(extent);
    more.add(extent.block(), extent.end(), -1);
  }

  /** A page of a tree, in both its places, gets one more user. */
  void use(PageRef page) {
    Extent.each(page.blocks(), this::use);
  }

  /** Of each of these units two parts are used where one was: they get one more user. */
  void split(List<Extent> units) {
    if (faults.has(EditFault.UNIT_FREED_IN_PART)) {
      counting |= !units.isEmpty();
      units.forEach(this::leave);
    } else if (!faults.has(EditFault.SPLIT_NOT_COUNTED)) {
      units.forEach(this::use);
    }
  }

  /** Whether what becomes of a layout's extents may take many entries to say. */
  boolean isSharedInPieces(Layout.Extents layout) {
    Stream<Extent> extents = layout.entries().stream().map(ExtentEntry::extent);
    return layout.entries().size() > 1
        ? extents.anyMatch(this::isShared)
        : extents.anyMatch(extent -> !firstPiece(extent).equals(extent));
  }

  private void touch(Extent extent) {
    load(extent);
    for (Map.Entry<Long, SharedRun> run : stored.tailMap(extent.block()).entrySet()) {
      if (run.getValue().block() >= extent.end()) {
        return;
      }
      lookedAt.remove(run.getKey());
    }
  }

  /** Whether a block has more than one user, after all that the change did so far. */
  boolean isShared(long block) {
    return isShared(new Extent(block, 1));
  }

  /** Whether any of these blocks has more than one user, after all that the change did so far. */
  boolean isShared(Extent extent) {
    if (!isCounting()) {
      return false;
    }
    load(extent);
    return more.isPositiveIn(extent.block(), extent.end());
  }

  /**
   * The first of these blocks, as many as the tree tells of in one entry, or in none. Leaving them
   * changes three entries at most, however many the whole extent would.
   */
  Extent firstPiece(Extent extent) {
    if (!isCounting()) {
      return extent;
    }
    load(extent);
    long end = extent.end();
    Map.Entry<Long, SharedRun> first = stored.ceilingEntry(extent.block());
    if (first != null) {
      SharedRun run = first.getValue();
      end = Math.min(end, run.block() <= extent.block() ? run.end() : run.block());
    }
    return new Extent(extent.block(), end - extent.block());
  }

  private void load(Extent extent) {
    View.Scan scan = view.from(StoreTree.SHARED, TreeKeys.of(extent.block()));
    while (scan.next()) {
      SharedRun run = SharedRun.decode(scan.key(), scan.value());
      if (run.block() >= extent.end()) {
        return;
      }
      if (stored.putIfAbsent(run.end() - 1, run) == null) {
        more.add(run.block(), run.end(), run.users() - 1);
        lookedAt.add(run.end() - 1);
      }
    }
  }

  /**
   * Adds the steps that make the tree and the free space what they shall be. Entries that were only
   * looked at are not joined with others: that costs room like any change, which a full volume may
   * not have.
   */
  void emit(List<Op> ops) {
    TreeMap<Long, SharedRun> wanted = new TreeMap<>();
    List<Op> frees = new ArrayList<>();
    more.forEachRun(
        (from, to, number) -> {
          if (number > 0) {
            want(wanted, from, to, number + 1);
          } else {
            Invariants.check(number == -1, "blocks left by more users than they had", from, to);
            frees.add(new Op.Free(new Extent(from, to - from)));
          }
        });
    for (Map.Entry<Long, SharedRun> before : stored.entrySet()) {
      if (!wanted.containsKey(before.getKey())) {
        ops.add(new Op.Remove(StoreTree.SHARED, before.getValue().key()));
      }
    }
    for (Map.Entry<Long, SharedRun> after : wanted.entrySet()) {
      SharedRun run = after.getValue();
      if (!run.equals(stored.get(after.getKey()))) {
        ops.add(new Op.Put(StoreTree.SHARED, run.key(), run.value()));
      }
    }
    ops.addAll(frees);
  }

  /** Blocks with the same number of users: as few entries as can be around what stays. */
  private void want(NavigableMap<Long, SharedRun> wanted, long from, long to, int users) {
    long at = from;
    for (SharedRun run : stored.subMap(from, to).values()) {
      if (lookedAt.contains(run.end() - 1)) {
        if (at < run.block()) {
          wanted.put(run.block() - 1, new SharedRun(at, run.block() - at, users));
        }
        wanted.put(run.end() - 1, run);
        at = run.end();
      }
    }
    if (at < to) {
      wanted.put(to - 1, new SharedRun(at, to - at, users));
    }
  }
}
