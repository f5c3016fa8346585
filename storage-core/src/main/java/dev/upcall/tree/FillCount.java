package dev.upcall.tree;

import dev.upcall.base.Invariants;
import java.util.Arrays;

/**
 * How many pages an empty {@link Tree} gets from entries in ascending order, told from their sizes:
 * none is made. Each page is as full as it can be, since an entry behind all others that finds no
 * room begins a page and moves none.
 */
public final class FillCount {
  private final TreeConfig config;

  /** Of the last page of each level, from the leaves up: how many entries, and what they take. */
  private final int[] entries = new int[Tree.MAX_HEIGHT];

  private final int[] bytes = new int[Tree.MAX_HEIGHT];
  private int height;
  private int pages;
  private byte[] last = PageSplit.LOWEST_KEY;

  /** Of a tree without entries. */
  public FillCount(TreeConfig config) {
    this.config = config;
  }

  /** One more entry, whose key is above all before; it is not copied, and must stay as it is. */
  public void add(byte[] key, int valueBytes) {
    Invariants.check(Arrays.compareUnsigned(last, key) < 0, "order of entries", pages);
    int separatorBytes = PageSplit.separatorBytes(last, key);
    add(0, Page.entryBytes(key.length, valueBytes), separatorBytes);
    last = key;
  }

  /**
   * One more entry of a level.
   *
   * @param separatorBytes how long the key is that leads to a page that begins with it
   */
  private void add(int level, int entryBytes, int separatorBytes) {
    if (level == height) {
      height++;
      begin(level);
      if (level > 0) {
        take(level, childBytes(PageSplit.LOWEST_KEY.length));
      }
    } else if (!config.fits(level, entries[level], bytes[level] + entryBytes)) {
      begin(level);
      add(level + 1, childBytes(separatorBytes), separatorBytes);
    }
    take(level, entryBytes);
  }

  private void begin(int level) {
    pages++;
    entries[level] = 0;
    bytes[level] = 0;
  }

  private void take(int level, int entryBytes) {
    entries[level]++;
    bytes[level] += entryBytes;
  }

  private static int childBytes(int keyBytes) {
    return Page.entryBytes(keyBytes, PageRef.ENCODED_BYTES);
  }

  /** How many pages it would have now. */
  public int pages() {
    return pages;
  }
}
