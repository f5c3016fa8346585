package dev.upcall.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the pages of a tree that lie behind an address, so that they can be moved: a page gets
 * another place with the next checkpoint when an entry below it is put again.
 */
public final class PagesBehind {
  private static final byte[] LOWEST = new byte[0];

  private final long block;
  private final int most;
  private final List<byte[]> keys = new ArrayList<>();

  private PagesBehind(long block, int most) {
    this.block = block;
    this.most = most;
  }

  /**
   * Keys from which on the first entry lies in, or below, a page that has a copy at or behind a
   * block. Looks at all inner pages: for small trees.
   *
   * @param most no more keys
   * @throws PageMissing if an inner page must be loaded first
   */
  public static List<byte[]> keys(Tree tree, long block, int most) {
    PagesBehind found = new PagesBehind(block, most);
    found.visit(tree.root(), LOWEST);
    return found.keys;
  }

  private void visit(@Nullable PageRef ref, byte[] lowest) {
    if (ref == null || keys.size() >= most) {
      return;
    }
    boolean behind = ref.hasAddress() && (ref.addressA() >= block || ref.addressB() >= block);
    if (behind && (keys.isEmpty() || !Arrays.equals(keys.getLast(), lowest))) {
      keys.add(lowest);
    }
    if (ref.level() == 0) {
      return;
    }
    Page page = ref.resident();
    for (int i = 0; i < page.count(); i++) {
      visit(page.child(i), i == 0 ? lowest : page.key(i));
    }
  }
}
