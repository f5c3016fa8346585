package dev.upcall.bench.largeobject;

import dev.upcall.edit.Geometry;

/** What the paper's objects lie on: disk, pool and space, with a cost for each call. */
public final class PaperMachine {
  /** Bytes of a page. */
  public static final int PAGE_BYTES = 4096;

  /** Pages, and the longest segment of 32 MiB. */
  public static final Geometry GEOMETRY = new Geometry(PAGE_BYTES, 1 << 13);

  private final Pager pager = new Pager();
  private final BuddySpaces spaces = new BuddySpaces();
  private final Contents contents;

  /** An empty one that only counts. */
  public PaperMachine() {
    this(Contents.UNKNOWN);
  }

  /** An empty one that holds bytes, too. */
  PaperMachine(Contents contents) {
    this.contents = contents;
  }

  /** What all calls have cost until now. */
  public Cost cost() {
    return pager.cost();
  }

  /** Pages in use, those of indexes included. */
  public long usedPages() {
    return spaces.usedPages();
  }

  Pager pager() {
    return pager;
  }

  Contents contents() {
    return contents;
  }

  int allocate(int pages) {
    return spaces.allocate(pages);
  }

  void free(int page, int pages) {
    spaces.free(page, pages);
    pager.forget(page, pages);
  }
}
