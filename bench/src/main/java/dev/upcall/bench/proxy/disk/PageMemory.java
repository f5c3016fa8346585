package dev.upcall.bench.proxy.disk;

import dev.upcall.bench.ecommerce.machine.LruList;
import java.util.BitSet;

/**
 * Pages of a range of the disk in memory: the least recently used goes first, and is written when
 * it is dirty. A page that was written in part without having been read knows which of its eight
 * fragments of 1 KB are there.
 */
public final class PageMemory {
  /** All fragments of a page. */
  static final int WHOLE = 0xff;

  /** The most pages of one request: 64 KB. */
  private static final int CLUSTER_PAGES = 8;

  private final int frames;
  private final CountedDisk disk;
  private final CountedDisk.Purpose purpose;
  private final long firstPage;
  private final LruList lru;
  private final byte[] present;
  private final BitSet dirty = new BitSet();
  private int held;

  /**
   * Memory that holds nothing.
   *
   * @param frames how many pages it can hold
   * @param purpose of its requests
   * @param firstPage of the range
   * @param pages of the range
   */
  public PageMemory(
      int frames, CountedDisk disk, CountedDisk.Purpose purpose, long firstPage, int pages) {
    if (frames < CLUSTER_PAGES) {
      throw new IllegalArgumentException("memory holds one cluster at least, not " + frames);
    }
    this.frames = frames;
    this.disk = disk;
    this.purpose = purpose;
    this.firstPage = firstPage;
    this.lru = new LruList(pages);
    this.present = new byte[pages];
  }

  /** Whether some fragments of a page are in memory. */
  boolean holds(long page, int fragments) {
    int at = at(page);
    return lru.holds(at) && (present[at] & fragments) == fragments;
  }

  /** Somebody wants a page. */
  public void read(long page) {
    read(page, 1, WHOLE);
  }

  /**
   * Somebody wants consecutive pages; those that are missing and adjacent are read together.
   *
   * @param lastFragments what is wanted of the last one
   */
  void read(long first, int pages, int lastFragments) {
    long end = first + pages;
    long at = first;
    while (at < end) {
      if (holds(at, at == end - 1 ? lastFragments : WHOLE)) {
        touch(at(at));
        at++;
        continue;
      }
      long from = at;
      while (at < end
          && at - from < CLUSTER_PAGES
          && !holds(at, at == end - 1 ? lastFragments : WHOLE)) {
        at++;
      }
      disk.read(purpose, from, (int) (at - from));
      for (long page = from; page < at; page++) {
        put(at(page), WHOLE);
      }
    }
  }

  /** Fragments of a page are replaced, whatever they were. */
  public void write(long page, int fragments) {
    int at = at(page);
    put(at, fragments);
    dirty.set(at);
  }

  /** A part of a page is changed, the rest of which must be known. */
  public void change(long page) {
    change(page, WHOLE);
  }

  /** A part of some fragments of a page is changed, the rest of which must be known. */
  void change(long page, int fragments) {
    read(page, 1, fragments);
    dirty.set(at(page));
  }

  /** Writes all that is dirty, in the order of the disk, adjacent pages together. */
  public void flush() {
    int from = dirty.nextSetBit(0);
    while (from >= 0) {
      int end = Math.min(dirty.nextClearBit(from), from + CLUSTER_PAGES);
      disk.write(purpose, firstPage + from, end - from);
      from = dirty.nextSetBit(end);
    }
    dirty.clear();
  }

  private int at(long page) {
    return (int) (page - firstPage);
  }

  private void put(int at, int fragments) {
    if (lru.holds(at)) {
      touch(at);
      present[at] |= (byte) fragments;
      return;
    }
    if (held == frames) {
      evict();
    } else {
      held++;
    }
    lru.addFirst(at);
    present[at] = (byte) fragments;
  }

  private void evict() {
    int oldest = lru.last();
    lru.remove(oldest);
    if (dirty.get(oldest)) {
      dirty.clear(oldest);
      disk.write(purpose, firstPage + oldest, 1);
    }
  }

  private void touch(int at) {
    lru.remove(at);
    lru.addFirst(at);
  }
}
