package dev.upcall.bench.ecommerce.machine;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Where pages lie that get a new place each time they are written, as a store does that never
 * writes over anything: each behind the one before, in runs of free blocks.
 */
final class PagePlaces {
  /** A run is begun where so many blocks are free, as long as there is such a place. */
  private static final int LEAST_RUN = 32;

  private static final int NOBODY = -1;

  private final int[] blockOf;
  private final int[] pageOf;
  private final BitSet used = new BitSet();
  private int next;

  /**
   * Pages one behind the other, and free blocks behind them.
   *
   * @param pages how many pages
   * @param blocks how many blocks, more than that
   */
  PagePlaces(int pages, int blocks) {
    if (blocks <= pages) {
      throw new IllegalArgumentException("no room to move %d pages: %d".formatted(pages, blocks));
    }
    this.blockOf = new int[pages];
    this.pageOf = new int[blocks];
    Arrays.fill(pageOf, NOBODY);
    for (int i = 0; i < pages; i++) {
      blockOf[i] = i;
      pageOf[i] = i;
    }
    used.set(0, pages);
    this.next = pages;
  }

  /** Where a page lies. */
  int block(int page) {
    return blockOf[page];
  }

  /** The page that lies somewhere. */
  int page(int block) {
    int page = pageOf[block];
    if (page == NOBODY) {
      throw new IllegalArgumentException("no page lies at block " + block);
    }
    return page;
  }

  /** A page is written: it lies elsewhere from now on, and its former place is free. */
  int move(int page) {
    int to = isFree(next) ? next : nextRun();
    int from = blockOf[page];
    used.clear(from);
    pageOf[from] = NOBODY;
    used.set(to);
    pageOf[to] = page;
    blockOf[page] = to;
    next = to + 1;
    return to;
  }

  private boolean isFree(int block) {
    return block < pageOf.length && !used.get(block);
  }

  /** The next run that is long enough, upwards and around; else the longest. */
  private int nextRun() {
    int longest = NOBODY;
    int length = 0;
    int after = next >= pageOf.length ? 0 : next;
    for (int pass = 0; pass < 2; pass++) {
      int at = used.nextClearBit(pass == 0 ? after : 0);
      while (at < pageOf.length) {
        int set = used.nextSetBit(at);
        int end = set < 0 ? pageOf.length : set;
        if (end - at >= LEAST_RUN) {
          return at;
        }
        if (end - at > length) {
          longest = at;
          length = end - at;
        }
        at = used.nextClearBit(end);
      }
    }
    return longest;
  }
}
