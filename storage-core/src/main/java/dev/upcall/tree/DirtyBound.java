package dev.upcall.tree;

/**
 * How many pages a number of changes can make dirty at the most.
 *
 * <p>A change touches one page on each level, and makes at most one new leaf. A level of inner
 * pages gets an entry for each new page of the level below. One of its pages splits with the first
 * entry that it gets if it was full, and after that only when so many entries have come that a half
 * page is full again ({@code refill}), or a page joined of two underfull ones. On the right edge of
 * the tree a page splits without dividing itself: it stays full, and its new neighbour has one
 * entry and room for {@code refillEmpty} more; so each of these splits allows one more of the other
 * kind. With n pages on the level and e entries added to it there are at most
 *
 * <pre>n + e / refill + 2 (1 + e / refillEmpty)</pre>
 *
 * splits, and never more than e. Splits of the root make levels that had no page before; the first
 * page of such a level begins with two entries.
 *
 * @param fanOut the most entries of an inner page
 * @param refill the fewest entries that fill a page again after it was halved or joined
 * @param refillEmpty the fewest entries that fill a page with one entry
 */
record DirtyBound(int fanOut, int refill, int refillEmpty) {
  static DirtyBound of(TreeConfig config) {
    int room = config.pageBytes() - Page.HEADER_BYTES;
    int largest = Page.entryBytes(config.maxKeyBytes(), PageRef.ENCODED_BYTES);
    int smallest = Page.entryBytes(0, PageRef.ENCODED_BYTES);
    int most = config.maxInnerEntries();
    int fanOut = Math.min(most, room / smallest);
    if (config.isInnerLimitedByCount()) {
      int afterHalving = most + 1 - (most + 2) / 2;
      int afterJoin = most + 1 - most * 3 / 4;
      return new DirtyBound(fanOut, Math.min(afterHalving, afterJoin), most);
    }
    if (room / smallest <= most) {
      int afterHalving = (room / 2 - largest) / largest + 1;
      int afterJoin = room / 4 / largest + 1;
      return new DirtyBound(
          fanOut, Math.max(1, Math.min(afterHalving, afterJoin)), (room - largest) / largest + 1);
    }
    // Now one limit, now the other: nothing is known of how full a half page is.
    return new DirtyBound(fanOut, 1, 1);
  }

  /**
   * The bound.
   *
   * @param height levels of the tree
   * @param rootEntries entries of the root, if it is an inner page
   */
  long pages(int height, int rootEntries, long changes) {
    if (changes <= 0) {
      return 0;
    }
    long total = 0;
    long added = changes;
    for (int level = 0; level < height; level++) {
      long pages = pagesOn(level, height, rootEntries, changes);
      added = level == 0 ? changes : splits(pages, added);
      total += Math.min(changes, pages) + added;
    }
    // Each growth makes a root; and an empty tree begins with one.
    int levels = 64 - Long.numberOfLeadingZeros(changes) + 1;
    for (int level = 0; level < levels && added > 0; level++) {
      total++;
      added = level == 0 && height == 0 ? changes : splitsOfNew(added);
      total += added;
    }
    return total;
  }

  private long splits(long pages, long entries) {
    return Math.min(entries, pages + entries / refill + 2 * (1 + entries / refillEmpty));
  }

  private long splitsOfNew(long entries) {
    return Math.min(entries, entries / refill + 2 * (entries / Math.max(1, refillEmpty - 1)));
  }

  /** How many pages there can be on a level, as far as that is fewer than the limit. */
  private long pagesOn(int level, int height, int rootEntries, long limit) {
    long pages = 1;
    for (int above = height - 1; above > level && pages < limit; above--) {
      pages *= above == height - 1 ? rootEntries : fanOut;
    }
    return pages;
  }
}
