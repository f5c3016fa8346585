package dev.upcall.segment.layout;

import dev.upcall.space.Extent;
import dev.upcall.tree.PageRef;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

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
   * @param entry the old tree's entry that has it
   * @param extents where it lies; of a part of a unit this may be nothing, and says nothing
   */
  public record Removed(ExtentEntry entry, List<Extent> extents) {
    /** The key of the entry. */
    public long key() {
      return entry.logicalEnd() - 1;
    }
  }

  /** How many parts the edit leaves of an entry of the old tree. */
  public int partsLeft(ExtentEntry entry) {
    long[] borders =
        ranges.stream()
            .filter(range -> range.from() < entry.logicalEnd())
            .filter(range -> range.to() > entry.logicalBlock())
            .sorted(Comparator.comparingLong(LayoutEditor.Range::from))
            .flatMapToLong(range -> LongStream.of(range.from(), range.to()))
            .toArray();
    int parts = 0;
    long at = entry.logicalBlock();
    for (int i = 0; i < borders.length; i += 2) {
      parts += at < borders[i] ? 1 : 0;
      at = Math.max(at, borders[i + 1]);
    }
    return parts + (at < entry.logicalEnd() ? 1 : 0);
  }

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
