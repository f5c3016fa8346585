package dev.upcall.tree;

import java.util.ArrayList;
import java.util.List;

/**
 * Thrown by a tree that needs a page which is not in memory. Trees do no I/O: the caller loads the
 * page (waiting in its own way: the state machines through the disk seam, the threaded engine by
 * blocking) and starts its look again. Cheap, without a stack trace; never crosses the boundary of
 * a query or change.
 */
public final class PageMissing extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient PageRef page;
  private final transient List<PageRef> others;

  /** Names the page that is needed. */
  PageMissing(PageRef page) {
    this(page, List.of());
  }

  /**
   * Names the page that is needed, and others that will be, or may be, soon after.
   *
   * @param others without the page itself
   */
  PageMissing(PageRef page, List<PageRef> others) {
    super(null, null, false, false);
    this.page = page;
    this.others = others;
  }

  /** Both as one: the page of this one, and all else that either names. */
  public PageMissing with(PageMissing next) {
    List<PageRef> all = new ArrayList<>(others);
    for (PageRef other : next.pages()) {
      if (other != page && !all.contains(other)) {
        all.add(other);
      }
    }
    return new PageMissing(page, all);
  }

  /** The page to load, with {@link PageRef#load}. */
  public PageRef page() {
    return page;
  }

  /** The page to load, then those that are worth loading beside it. */
  public List<PageRef> pages() {
    List<PageRef> pages = new ArrayList<>(1 + others.size());
    pages.add(page);
    pages.addAll(others);
    return pages;
  }

  @Override
  public String getMessage() {
    return "not in memory: " + page;
  }
}
