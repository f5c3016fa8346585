package dev.upcall.tree;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What one page of a written tree holds, for those who walk over some of its pages and not over
 * others. Every method throws {@link PageMissing} if the page must be loaded first.
 */
public final class PageLook {
  private PageLook() {}

  /**
   * A page below an inner page.
   *
   * @param page its pointer
   * @param low no key below it is lower
   */
  @SuppressWarnings("ArrayRecordComponent")
  public record Child(PageRef page, byte[] low) {}

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
