package dev.upcall.tree;

import dev.upcall.base.Invariants;
import java.util.Arrays;

/**
 * A page with one entry too many, as two pages.
 *
 * @param left the lower entries
 * @param right the upper entries
 * @param separator a short key that is above every key of the left page and not above those of the
 *     right
 */
record PageSplit(Page left, Page right, byte[] separator) {
  /** The place that a child's pointer takes in its entry. */
  static final byte[] CHILD_PLACE = new byte[PageRef.ENCODED_BYTES];

  /** The low key of the leftmost page of each level. */
  static final byte[] LOWEST_KEY = {};

  /**
   * Splits in the middle.
   *
   * @param overfull may be larger than a page on disk
   */
  static PageSplit of(Page overfull, TreeConfig config, Edition edition) {
    int level = overfull.level();
    boolean byCount = level > 0 && config.isInnerLimitedByCount();
    int cut = byCount ? overfull.count() / 2 : balancedCut(overfull);
    Page left = Page.create(config, level, edition);
    Page right = Page.create(config, level, edition);
    for (int i = 0; i < overfull.count(); i++) {
      (i < cut ? left : right).append(overfull, i);
    }
    return at(left, right);
  }

  /** Two pages that are there, neither of them empty. */
  static PageSplit at(Page left, Page right) {
    byte[] first = right.key(0);
    byte[] separator = left.level() > 0 ? first : between(left.key(left.count() - 1), first);
    return new PageSplit(left, right, separator);
  }

  private static int balancedCut(Page page) {
    int total = 0;
    for (int i = 0; i < page.count(); i++) {
      total += page.entryBytes(i);
    }
    int best = 1;
    int bestDifference = Integer.MAX_VALUE;
    int lower = 0;
    for (int cut = 1; cut < page.count(); cut++) {
      lower += page.entryBytes(cut - 1);
      int difference = Math.abs(total - 2 * lower);
      if (difference < bestDifference) {
        best = cut;
        bestDifference = difference;
      }
    }
    return best;
  }

  /**
   * As short as possible, and of these the lowest: keys that come into the gap between the two
   * pages belong to the right one, which has the room after an append.
   */
  private static byte[] between(byte[] below, byte[] above) {
    int length = separatorBytes(below, above);
    int last = length - 1;
    byte[] separator = Arrays.copyOf(above, length);
    separator[last] = last < below.length ? (byte) (below[last] + 1) : 0;
    return separator;
  }

  /** How long the separator of two leaves is, of the last key of one and the first of the next. */
  static int separatorBytes(byte[] below, byte[] above) {
    int same = Arrays.mismatch(below, above);
    Invariants.check(same >= 0 && same < above.length, "order of keys in a split", same);
    return same + 1;
  }
}
