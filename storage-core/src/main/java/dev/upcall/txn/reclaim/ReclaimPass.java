package dev.upcall.txn.reclaim;

import dev.upcall.segment.layout.ExtentEntry;
import dev.upcall.segment.layout.LayoutTrees;
import dev.upcall.space.Extent;
import dev.upcall.tree.PageLook;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.Tree;
import dev.upcall.txn.SegmentMutations;
import java.util.ArrayList;
import java.util.List;

/**
 * One piece of taking a tree of a file apart that nobody uses any more: leaf after leaf from where
 * the piece before ended, extent by extent, each page behind what is in it. A page that others
 * share is left to them, with all below it.
 *
 * <p>Progress is a number: pages all of whose keys, or positions, are lower are given back, and
 * extents that end there or before.
 */
public final class ReclaimPass {
  /** What a tree has. */
  enum Of {
    /** Extents by content block. */
    CONTENT,
    /** Pieces by position, whose leaves name no blocks. */
    PIECES
  }

  private final SegmentMutations out;
  private final Of of;
  private final List<Extent> extents = new ArrayList<>();
  private long progress;
  private int budget;

  /**
   * A pass.
   *
   * @param progress where the pass before ended, or 0
   * @param budget about how many extents and pages to give back
   */
  ReclaimPass(SegmentMutations out, Of of, long progress, int budget) {
    this.out = out;
    this.of = of;
    this.progress = progress;
    this.budget = budget;
  }

  /** Whether a page, or an extent, was given back by the passes before. */
  public static boolean isDone(long behindLastKey, long progress) {
    return behindLastKey <= progress;
  }

  /** Gives back; true when nothing of the tree is left. May throw {@code PageMissing}. */
  boolean run(PageRef root) {
    boolean over = visit(root, 0, Long.MAX_VALUE);
    out.free(extents);
    return over;
  }

  /** Where it ended. */
  long progress() {
    return progress;
  }

  /** A page with [low, high); false if the budget was used up before its end. */
  private boolean visit(PageRef page, long low, long high) {
    if (!out.isShared(page.addressA())) {
      boolean over = page.level() == 0 ? leaf(page) : inner(page, low, high);
      if (!over) {
        return false;
      }
    }
    Extent.each(page.blocks(), this::add);
    budget--;
    progress = high;
    return true;
  }

  /** Extent by extent: where they are shared, those of a leaf may need more than there is room. */
  private boolean leaf(PageRef page) {
    if (of == Of.PIECES) {
      return true;
    }
    for (Tree.Entry each : PageLook.entries(page)) {
      ExtentEntry entry = LayoutTrees.entry(each.key(), each.value());
      if (isDone(entry.logicalEnd(), progress)) {
        continue;
      }
      if (budget <= 0) {
        return false;
      }
      add(entry.extent());
      budget--;
      progress = entry.logicalEnd();
    }
    return true;
  }

  private boolean inner(PageRef page, long low, long high) {
    List<PageLook.Child> children = PageLook.children(page);
    for (int i = 0; i < children.size(); i++) {
      long begin = i == 0 ? low : begin(children.get(i), low);
      long behind = i + 1 < children.size() ? begin(children.get(i + 1), low) : high;
      if (isDone(behind, progress)) {
        continue;
      }
      if (budget <= 0 || !visit(children.get(i).page(), begin, behind)) {
        return false;
      }
    }
    return true;
  }

  private long begin(PageLook.Child child, long low) {
    return switch (of) {
      case CONTENT -> PageLook.firstNumber(child.low());
      case PIECES -> low + PageLook.distance(child);
    };
  }

  private void add(Extent extent) {
    Extent last = extents.isEmpty() ? null : extents.getLast();
    if (last != null && last.end() == extent.block()) {
      extents.set(extents.size() - 1, new Extent(last.block(), last.blocks() + extent.blocks()));
    } else {
      extents.add(extent);
    }
  }
}
