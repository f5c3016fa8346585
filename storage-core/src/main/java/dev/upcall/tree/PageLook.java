package dev.upcall.tree;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one page of a written tree holds, for those who walk over some of its pages and not over
 * others. Every method throws {@link PageMissing} if the page must be loaded first.
 */
public final class PageLook {
  private static final int MOST_LOOKED_AT = 1 << 20;

  private PageLook() {}

  /**
   * A page below an inner page.
   *
   * @param page its pointer
   * @param low no key below it is lower
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Child(PageRef page, byte[] low) {}

  /**
   * Between which keys those of a page lie.
   *
   * @param low none is below it
   * @param high each is below it; null on the right edge
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Between(byte[] low, byte @Nullable [] high) {}

  /**
   * Finds a leaf of a tree by its place; null if no inner page that is in memory leads to it. Looks
   * at {@value #MOST_LOOKED_AT} pointers at most.
   *
   * @param root where the tree begins, or null
   */
  public static @Nullable Between find(@Nullable PageRef root, PageRef leaf) {
    ArrayDeque<Page> pages = new ArrayDeque<>();
    ArrayDeque<Between> ranges = new ArrayDeque<>();
    Page top = root == null ? null : root.pageIfResident();
    if (top != null) {
      pages.push(top);
      ranges.push(new Between(PageSplit.LOWEST_KEY, null));
    }
    for (int looked = 0; !pages.isEmpty() && looked < MOST_LOOKED_AT; ) {
      Page page = pages.pop();
      Between range = ranges.pop();
      for (int i = 0; page.level() > 0 && i < page.count(); i++, looked++) {
        PageRef child = page.child(i);
        Page below = page.level() > 1 ? child.pageIfResident() : null;
        if (below != null || child.addressA() == leaf.addressA()) {
          byte[] high = i + 1 < page.count() ? page.key(i + 1) : range.high();
          Between keys = new Between(page.key(i), high);
          if (below == null) {
            return keys;
          }
          pages.push(below);
          ranges.push(keys);
        }
      }
    }
    return null;
  }

  /** The pages below an inner page, ascending. */
  public static List<Child> children(PageRef inner) {
    Page page = inner.resident();
    Invariants.check(page.level() > 0, "children of a leaf", inner);
    List<Child> children = new ArrayList<>(page.count());
    for (int i = 0; i < page.count(); i++) {
      children.add(new Child(page.child(i), page.key(i)));
    }
    return children;
  }

  /** The entries of a leaf, ascending. */
  public static List<Tree.Entry> entries(PageRef leaf) {
    Page page = leaf.resident();
    Invariants.check(page.level() == 0, "entries of an inner page", leaf);
    List<Tree.Entry> entries = new ArrayList<>(page.count());
    for (int i = 0; i < page.count(); i++) {
      entries.add(new Tree.Entry(page.key(i), page.value(i)));
    }
    return entries;
  }

  /** Where a page below one of a {@link PositionTree} begins, counted from that one's begin. */
  public static long distance(Child child) {
    return ByteBuffer.wrap(child.low()).getLong();
  }

  /**
   * The lowest number whose key (u64, big-endian) lies in a range that begins with a low key: low
   * keys are cut as short as they can be.
   */
  public static long firstNumber(byte[] low) {
    byte[] whole = new byte[Long.BYTES];
    System.arraycopy(low, 0, whole, 0, Math.min(low.length, whole.length));
    return ByteBuffer.wrap(whole).getLong();
  }
}
