package dev.upcall.bench.largeobject;

import java.util.BitSet;

/**
 * A buddy space of 2<sup>14</sup> pages: free blocks are aligned powers of two, and never are two
 * buddies free beside each other. What is given out is exact: the tail of its block stays free.
 */
final class BuddySpace {
  /** Of the whole space. */
  static final int TOP_ORDER = 14;

  static final int PAGES = 1 << TOP_ORDER;

  private final BitSet[] free = new BitSet[TOP_ORDER + 1];
  private int freePages = PAGES;

  /** A space of which nothing is used. */
  BuddySpace() {
    for (int order = 0; order <= TOP_ORDER; order++) {
      free[order] = new BitSet(PAGES >> order);
    }
    free[TOP_ORDER].set(0);
  }

  /** The smallest order whose blocks hold so many pages. */
  static int orderOf(int pages) {
    return 32 - Integer.numberOfLeadingZeros(pages - 1);
  }

  int freePages() {
    return freePages;
  }

  /** The order of the largest free block; -1 when there is none. */
  int largestOrder() {
    for (int order = TOP_ORDER; order >= 0; order--) {
      if (!free[order].isEmpty()) {
        return order;
      }
    }
    return -1;
  }

  /** Gives the first pages of the smallest block that has as many; -1 when there is none. */
  int allocate(int pages) {
    for (int order = orderOf(pages); order <= TOP_ORDER; order++) {
      int index = free[order].nextSetBit(0);
      if (index >= 0) {
        free[order].clear(index);
        int start = index << order;
        freePages -= 1 << order;
        free(start + pages, (1 << order) - pages);
        return start;
      }
    }
    return -1;
  }

  /** Takes pages back, of one allocation or a part of it, as aligned blocks. */
  void free(int start, int pages) {
    int page = start;
    int end = start + pages;
    while (page < end) {
      int aligned = page == 0 ? TOP_ORDER : Integer.numberOfTrailingZeros(page);
      int fitting = 31 - Integer.numberOfLeadingZeros(end - page);
      int order = Math.min(aligned, fitting);
      freeBlock(page, order);
      page += 1 << order;
    }
    freePages += pages;
  }

  private void freeBlock(int start, int order) {
    int index = start >> order;
    int joined = order;
    while (joined < TOP_ORDER && free[joined].get(index ^ 1)) {
      free[joined].clear(index ^ 1);
      index >>= 1;
      joined++;
    }
    free[joined].set(index);
  }

  /** Whether a block is in the list of its order. */
  boolean isFree(int start, int order) {
    return free[order].get(start >> order);
  }
}
