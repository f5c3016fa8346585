package dev.upcall.segment.layout;

import dev.upcall.space.Extent;
import dev.upcall.tree.PageRef;
import java.util.List;
import java.util.Set;

/**
 * What an edit took out of a large layout's extent tree, or of the tree of a map of pieces, by the
 * places where the old tree has it.
 *
 * @param root where the old tree begins
 * @param pages the first addresses of the old tree's pages that the new one does not have
 * @param removed the placed content that went
 * @param ranges the content blocks from which everything went
 */
public record Superseded(
    PageRef root, Set<Long> pages, List<Removed> removed, List<LayoutEditor.Range> ranges) {

  /**
   * Content that went.
   *
   * @param key the last content block of the old tree's entry that has it
   * @param extent where it lies
   */
  public record Removed(long key, Extent extent) {}

  /**
   * What an edit took out of the tree of a map: pages, whose leaves name no blocks that could be
   * used or left.
   *
   * @param root where the old tree begins
   * @param pages as above
   */
  static Superseded ofMap(PageRef root, Set<Long> pages) {
    LayoutEditor.Range everything = new LayoutEditor.Range(0, Long.MAX_VALUE);
    return new Superseded(root, pages, List.of(), List.of(everything));
  }

  /** Whether nothing is left of all entries with keys [low, high). */
  public boolean isAllRemoved(long low, long high) {
    long first = Math.max(0, low - ExtentEntry.MAX_BLOCKS + 1);
    for (LayoutEditor.Range range : ranges) {
      if (range.from() <= first && range.to() >= high) {
        return true;
      }
    }
    return false;
  }
}
