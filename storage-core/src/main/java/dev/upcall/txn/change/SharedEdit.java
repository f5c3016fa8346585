package dev.upcall.txn.change;

import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.LayoutTrees;
import dev.upcall.segment.layout.Superseded;
import dev.upcall.space.Extent;
import dev.upcall.tree.PageLook;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Who uses what after an edit of an extent tree that may share pages with those of clones. The edit
 * has replaced some pages, always with all above them, and the new pages point to what the old ones
 * pointed to, as far as it was not replaced or removed.
 *
 * <p>A replaced page that nobody shares, nor one above it, is free; what it pointed to has one user
 * less and one more. The topmost shared page on a path loses a user, stays, and goes on using all
 * below it: there, what the new pages point to gets a user more, and what was removed is free of
 * nothing. Looks at replaced pages only, and at no leaf that nobody shares.
 */
final class SharedEdit {
  private final BlockUsers users;
  private final Superseded edit;

  /** Ranges of keys that shared pages hold: the first key, and the first behind. */
  private final TreeMap<Long, Long> shared = new TreeMap<>();

  private final TreeMap<Long, List<Extent>> removed = new TreeMap<>();

  /** Units of which the edit took something, by the key of their entry. */
  private final TreeMap<Long, ExtentEntry.Coded> cut = new TreeMap<>();

  SharedEdit(BlockUsers users, Superseded edit) {
    this.users = users;
    this.edit = edit;
    for (Superseded.Removed piece : edit.removed()) {
      if (piece.entry() instanceof ExtentEntry.Coded coded) {
        cut.put(piece.key(), coded);
      } else {
        removed.computeIfAbsent(piece.key(), key -> new ArrayList<>()).addAll(piece.extents());
      }
    }
  }

  /** Counts. May throw {@code PageMissing}; then all that the change has counted is void. */
  void run() {
    visit(edit.root(), 0, Long.MAX_VALUE, /* below= */ false);
    for (Map.Entry<Long, List<Extent>> piece : removed.entrySet()) {
      if (!isShared(piece.getKey())) {
        piece.getValue().forEach(users::leave);
      }
    }
    for (Map.Entry<Long, ExtentEntry.Coded> unit : cut.entrySet()) {
      if (!isShared(unit.getKey())) {
        // The old leaf is gone, and one user with it; each part that is left is one.
        users.leave(unit.getValue().extent());
        use(unit.getValue());
      }
    }
  }

  /** Whether a page stays that has an entry with this key. */
  private boolean isShared(long key) {
    Map.Entry<Long, Long> range = shared.floorEntry(key);
    return range != null && key < range.getValue();
  }

  private void use(ExtentEntry.Coded entry) {
    for (int i = edit.partsLeft(entry); i > 0; i--) {
      users.use(entry.extent());
    }
  }

  /**
   * A replaced page with the keys [low, high).
   *
   * @param below whether it lies below a shared one
   */
  private void visit(PageRef page, long low, long high, boolean below) {
    boolean stays = below || users.isShared(page.addressA());
    if (!below) {
      leave(page);
      if (stays) {
        shared.put(low, high);
      }
    }
    if (page.level() == 0) {
      if (stays && !edit.isAllRemoved(low, high)) {
        useKept(page);
      }
      return;
    }
    // Also where all entries went: a leaf that had none is not replaced, and the new tree has it.
    List<PageLook.Child> children = PageLook.children(page);
    for (int i = 0; i < children.size(); i++) {
      PageRef child = children.get(i).page();
      if (edit.pages().contains(child.addressA())) {
        long from = i == 0 ? low : PageLook.firstNumber(children.get(i).low());
        long to = i + 1 < children.size() ? PageLook.firstNumber(children.get(i + 1).low()) : high;
        visit(child, from, to, stays);
      } else if (stays) {
        users.use(child);
      }
    }
  }

  /** The new leaves name what the edit has left of this one. */
  private void useKept(PageRef leaf) {
    for (Tree.Entry each : PageLook.entries(leaf)) {
      ExtentEntry entry = LayoutTrees.entry(each.key(), each.value());
      if (entry instanceof ExtentEntry.Coded coded) {
        use(coded);
      } else {
        use(entry.extent(), removed.getOrDefault(entry.logicalEnd() - 1, List.of()));
      }
    }
  }

  /** An extent but for some parts of it. */
  private void use(Extent extent, List<Extent> without) {
    TreeMap<Long, Long> gone = new TreeMap<>();
    without.forEach(part -> gone.put(part.block(), part.end()));
    long at = extent.block();
    for (Map.Entry<Long, Long> part : gone.entrySet()) {
      if (part.getKey() > at) {
        users.use(new Extent(at, part.getKey() - at));
      }
      at = part.getValue();
    }
    if (at < extent.end()) {
      users.use(new Extent(at, extent.end() - at));
    }
  }

  private void leave(PageRef page) {
    Extent.each(page.blocks(), users::leave);
  }
}
