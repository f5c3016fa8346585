package dev.upcall.tree;

/**
 * Thrown by a tree that needs a page which is not in memory. Trees do no I/O: the caller loads the
 * page (waiting in its own way: the state machines through the disk seam, the threaded engine by
 * blocking) and starts its look again. Cheap, without a stack trace; never crosses the boundary of
 * a query or change.
 */
public final class PageMissing extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient PageRef page;

  /** Names the page that is needed. */
  PageMissing(PageRef page) {
    super(null, null, false, false);
    this.page = page;
  }

  /** The page to load, with {@link PageRef#load}. */
  public PageRef page() {
    return page;
  }

  @Override
  public String getMessage() {
    return "not in memory: " + page;
  }
}
