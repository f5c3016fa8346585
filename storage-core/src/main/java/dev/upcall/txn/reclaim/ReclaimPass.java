package dev.upcall.txn.reclaim;

import dev.upcall.segment.ExtentEntry;
import dev.upcall.segment.LayoutTrees;
import dev.upcall.space.Extent;
import dev.upcall.tree.PageLook;
import dev.upcall.tree.PageRef;
import dev.upcall.tree.Tree;
import dev.upcall.txn.SegmentMutations;
import java.util.ArrayList;
import java.util.List;

/**
 * One piece of taking an extent tree apart that nobody uses any more: leaf after leaf from where
 * the piece before ended, each page with its content, inner pages behind their last child. A page
 * that others share is left to them, with all below it.
 *
 * <p>Progress is a number: pages all of whose keys are lower are given back.
 */
public final class ReclaimPass {
  private final SegmentMutations out;
  private final List<Extent> extents = new ArrayList<>();
  private long progress;
  private int budget;

  /**
   * A pass.
   *
   * @param progress where the pass before ended, or 0
   * @param budget about how many extents to give back; a leaf is given back as a whole
   */
  ReclaimPass(SegmentMutations out, long progress, int budget) {
    this.out = out;
    this.progress = progress;
    this.budget = budget;
  }

  /** Whether a page was given back by the passes before. */
  public static boolean isDone(long behindLastKey, long progress) {
    return behindLastKey <= progress;
  }

  /** Gives back; true when nothing of the tree is left. May throw {@code PageMissing}. */
  boolean run(PageRef root) {
    boolean over = visit(root, Long.MAX_VALUE);
    out.free(extents);
    return over;
  }

  /** Where it ended. */
  long progress() {
    return progress;
  }

  /** A page whose keys are below {@code high}; false if the budget was used up before its end. */
  private boolean visit(PageRef page, long high) {
    if (!out.isShared(page.addressA())) {
      if (page.level() == 0) {
        leaf(page);
      } else if (!inner(page, high)) {
        return false;
      }
    }
    add(new Extent(page.addressA(), 1));
    add(new Extent(page.addressB(), 1));
    budget--;
    progress = high;
    return true;
  }

  private void leaf(PageRef page) {
    for (Tree.Entry each : PageLook.entries(page)) {
      ExtentEntry entry = LayoutTrees.entry(each.key(), each.value());
      add(entry.extent());
      budget--;
    }
  }

  private boolean inner(PageRef page, long high) {
    List<PageLook.Child> children = PageLook.children(page);
    for (int i = 0; i < children.size(); i++) {
      long behind =
          i + 1 < children.size() ? PageLook.firstNumber(children.get(i + 1).low()) : high;
      if (isDone(behind, progress)) {
        continue;
      }
      if (budget <= 0 || !visit(children.get(i).page(), behind)) {
        return false;
      }
    }
    return true;
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
