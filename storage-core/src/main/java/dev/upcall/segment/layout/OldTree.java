package dev.upcall.segment.layout;

import dev.upcall.base.Invariants;
import dev.upcall.space.Extent;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.Tree;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The extent tree that an edit began with, and what the edit has taken out of it so far. */
final class OldTree {
  private final Tree tree;
  private final List<LayoutEditor.Range> ranges;
  private final Set<Long> pages = new LinkedHashSet<>();
  private final List<Superseded.Removed> removed = new ArrayList<>();

  OldTree(Tree tree, List<LayoutEditor.Range> ranges) {
    this.tree = tree;
    this.ranges = ranges;
  }

  /** A page was replaced. */
  void replaced(long addressA) {
    pages.add(addressA);
  }

  /**
   * The entry that has a block: in the edited tree it may have been cut already. May throw {@code
   * PageMissing}.
   */
  ExtentEntry entryOf(long block) {
    return Invariants.present(LayoutTrees.ceiling(tree, block), "an entry that is being cut");
  }

  /** Some of an entry went, and with it these extents. */
  void removed(ExtentEntry entry, List<Extent> freed) {
    removed.add(new Superseded.Removed(entry, List.copyOf(freed)));
  }

  /** All of it; null of an empty tree. */
  @Nullable Superseded superseded() {
    PageRef root = tree.root();
    return root == null ? null : new Superseded(root, pages, removed, ranges);
  }
}
