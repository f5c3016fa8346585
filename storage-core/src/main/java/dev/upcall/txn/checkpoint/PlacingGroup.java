package dev.upcall.txn.checkpoint;

import dev.upcall.segment.Overlay;
import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.Staged;
import dev.upcall.space.Extent;
import dev.upcall.txn.SegmentMutations;
import dev.upcall.txn.state.SegmentTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Unplaced content on its way to its place: blocks [0, blocks), in the order of the items.
 *
 * @param items what is placed
 * @param blocks how many blocks the items have together
 * @param extents where it goes
 * @param named the same with checksums, once it is written
 * @param placed the first blocks of those items whose places a change has named
 * @param putBack by segment, whose content to name instead of what is there: none, but in stores
 *     that are broken on purpose
 */
record PlacingGroup(
    List<Item> items,
    int blocks,
    List<Extent> extents,
    List<Staged.NamedBlocks> named,
    BitSet placed,
    Map<Long, Inode> putBack) {
  /** A group that is not on its way yet. */
  static PlacingGroup of(List<Item> items, int blocks, List<Extent> extents) {
    return new PlacingGroup(
        items, blocks, extents, new ArrayList<>(), new BitSet(blocks), new TreeMap<>());
  }

  /**
   * A part that is being placed; its lease is retained as long.
   *
   * @param segment whose it is
   * @param part the part
   * @param firstBlock where in the group it begins
   */
  record Item(long segment, Overlay.Part part, int firstBlock) {}

  /** The entries of an item: one for each extent that it touches. */
  List<ExtentEntry> entries(Item item) {
    List<ExtentEntry> entries = new ArrayList<>(1);
    long at = 0;
    long from = item.firstBlock();
    long to = from + item.part().blocks();
    for (Staged.NamedBlocks run : named) {
      if (at >= to) {
        break;
      }
      long end = at + run.extent().blocks();
      long start = Math.max(from, at);
      long stop = Math.min(to, end);
      if (start < stop) {
        ExtentEntry whole = new ExtentEntry.Plain(at, run.extent(), run.checksums());
        entries.add(whole.slice(start, stop).at(item.part().block() + start - from));
      }
      at = end;
    }
    return entries;
  }

  /** What placing some items, all of one segment, does to its layout. */
  LayoutEditor.Edit edit(List<Item> some) {
    List<LayoutEditor.Range> removed = new ArrayList<>();
    List<ExtentEntry> added = new ArrayList<>();
    for (Item item : some) {
      removed.add(new LayoutEditor.Range(item.part().block(), item.part().end()));
      added.addAll(entries(item));
    }
    return new LayoutEditor.Edit(removed, added);
  }

  /** The items of each segment. */
  List<List<Item>> bySegment() {
    List<List<Item>> segments = new ArrayList<>();
    int from = 0;
    for (int i = 1; i <= items.size(); i++) {
      if (i == items.size() || items.get(i).segment() != items.get(from).segment()) {
        segments.add(items.subList(from, i));
        from = i;
      }
    }
    return segments;
  }

  /** Whether a change has named the place of an item. */
  boolean isPlaced(Item item) {
    return placed.get(item.firstBlock());
  }

  /** The items whose part is still exactly what their segment's overlay has there. */
  List<Item> current(List<Item> some, SegmentTable segments) {
    List<Item> current = new ArrayList<>(some.size());
    for (Item item : some) {
      if (item.part().equals(segments.overlay(item.segment()).ceiling(item.part().block()))) {
        current.add(item);
      }
    }
    return current;
  }

  /**
   * Adds to a change what names the places of some items, all of one segment.
   *
   * @param edited the segment's places with these
   * @param synced whether what was written there is durable: then the change stands on nothing that
   *     the log would have to sync
   */
  void name(
      List<Item> some,
      Inode inode,
      LayoutEditor.Edited edited,
      boolean synced,
      SegmentMutations out) {
    out.allowEmergencySpace();
    Inode content = putBack.getOrDefault(inode.id(), inode);
    out.setInode(
        inode.withContent(content.size(), Layout.of(content.layout().pieces(), edited.layout())));
    for (Item item : some) {
      List<ExtentEntry> entries = entries(item);
      for (ExtentEntry entry : entries) {
        out.allocate(
            synced
                ? new Staged.NamedBlocks(entry.extent(), Staged.NamedBlocks.SYNCED)
                : SegmentMutations.named(entry));
      }
      out.drop(item.segment(), item.part().block(), item.part().end());
      out.onApplied(
          () -> {
            item.part().publish(entries);
            placed.set(item.firstBlock());
          });
    }
    for (Staged.NamedBlocks pages : edited.pages()) {
      out.allocate(pages);
    }
    out.free(edited);
  }
}
