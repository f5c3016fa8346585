package dev.upcall.tree;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Verifies a whole tree with keys: besides its pages, order and key ranges. */
public final class TreeCheck extends PagesCheck<TreeCheck.Range> {
  /** What the check tells about what it found sound. */
  public interface Visitor extends PagesCheck.Claims {
    /**
     * Whether to go into a page, when all before it was told. One that is left out is not read, and
     * neither is what lies below.
     *
     * @param high every key of the page is below it; null on the right edge
     */
    default boolean wants(PageRef page, byte @Nullable [] high) {
      return true;
    }

    /** A page was gone into, and all below it was told or is lost. */
    default void left(PageRef page) {}

    /**
     * A page is lost: what that means, in words. All that it had lies between the two keys.
     *
     * @param high null on the right edge
     */
    default String lost(byte[] low, byte @Nullable [] high) {
      return "all below it is lost";
    }

    /** An entry, in ascending order. */
    default void entry(byte[] key, byte[] value) {}
  }

  /**
   * Keys that a page may have.
   *
   * @param low none is below it
   * @param high each is below it; null on the right edge
   */
  record Range(byte[] low, byte @Nullable [] high) {}

  private final Visitor visitor;
  private byte @Nullable [] lastKey;
  private long entries;

  /**
   * Begins.
   *
   * @param config the volume's geometry
   * @param treeId the tree that is expected
   * @param root where it begins, or null for the empty tree
   * @param visitor is told what is found
   */
  public TreeCheck(TreeConfig config, int treeId, @Nullable PageRef root, Visitor visitor) {
    super(config, treeId, /* byPosition= */ false, visitor);
    this.visitor = visitor;
    if (root != null) {
      begin(root, new Range(PageSplit.LOWEST_KEY, null));
    }
  }

  @Override
  boolean isWanted(PageRef ref, Range range) {
    return visitor.wants(ref, range.high());
  }

  @Override
  void left(PageRef ref) {
    visitor.left(ref);
  }

  @Override
  void check(PageRef ref, Range range, Page page) {
    if (page.level() == 0) {
      checkLeaf(ref, range, page);
    } else {
      checkInner(ref, range, page);
    }
  }

  @Override
  String lost(Range range) {
    return visitor.lost(range.low(), range.high());
  }

  private void checkLeaf(PageRef ref, Range range, Page page) {
    for (int i = 0; i < page.count(); i++) {
      byte[] key = page.key(i);
      checkRange(ref, range, key);
      if (lastKey != null && Arrays.compareUnsigned(lastKey, key) >= 0) {
        problem(ref, "keys do not ascend over pages");
      }
      lastKey = key;
      entries++;
      visitor.entry(key, page.value(i));
    }
  }

  private void checkInner(PageRef ref, Range range, Page page) {
    if (!Arrays.equals(page.key(0), range.low())) {
      problem(ref, "low key is not that of the pointer");
    }
    for (int i = page.count() - 1; i >= 0; i--) {
      byte[] low = page.key(i);
      checkRange(ref, range, low);
      byte[] high = i + 1 < page.count() ? page.key(i + 1) : range.high();
      add(ref, page.child(i), new Range(low, high));
    }
  }

  private void checkRange(PageRef ref, Range range, byte[] key) {
    byte[] high = range.high();
    if (Arrays.compareUnsigned(key, range.low()) < 0
        || (high != null && Arrays.compareUnsigned(key, high) >= 0)) {
      problem(ref, "key outside of the page's range");
    }
  }

  /** Entries seen so far. */
  long entries() {
    return entries;
  }
}
