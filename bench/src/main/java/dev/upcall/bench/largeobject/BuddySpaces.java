package dev.upcall.bench.largeobject;

import java.util.ArrayList;
import java.util.List;

/**
 * As many buddy spaces as are needed, and a directory in memory with the largest order that each
 * may have free: an upper bound, which is put right when an allocation finds it wrong.
 */
final class BuddySpaces {
  private final List<BuddySpace> spaces = new ArrayList<>();
  private final List<Integer> bounds = new ArrayList<>();

  /** Contiguous pages, of the first space that has them. */
  int allocate(int pages) {
    int order = BuddySpace.orderOf(pages);
    for (int i = 0; i < spaces.size(); i++) {
      if (bounds.get(i) >= order) {
        int start = spaces.get(i).allocate(pages);
        if (start >= 0) {
          return i * BuddySpace.PAGES + start;
        }
        bounds.set(i, spaces.get(i).largestOrder());
      }
    }
    if (order > BuddySpace.TOP_ORDER) {
      throw new IllegalArgumentException(pages + " pages are more than a space has");
    }
    spaces.add(new BuddySpace());
    bounds.add(BuddySpace.TOP_ORDER);
    return allocate(pages);
  }

  /** Takes pages back. */
  void free(int page, int pages) {
    int space = page / BuddySpace.PAGES;
    spaces.get(space).free(page % BuddySpace.PAGES, pages);
    bounds.set(space, BuddySpace.TOP_ORDER);
  }

  /** Pages that are given out. */
  long usedPages() {
    return spaces.stream().mapToLong(space -> BuddySpace.PAGES - space.freePages()).sum();
  }
}
