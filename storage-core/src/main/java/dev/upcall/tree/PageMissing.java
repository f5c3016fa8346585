package dev.upcall.tree;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a tree that needs a page which is not in memory. Trees do no I/O: the caller loads the
 * page (waiting in its own way: the state machines through the disk seam, the threaded engine by
 * blocking) and starts its look again. Cheap, without a stack trace; never crosses the boundary of
 * a query or change.
 */
public final class PageMissing extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient SequencedSet<PageRef> pages = new LinkedHashSet<>();

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
    pages.add(page);
    pages.addAll(others);
  }

  /** Names all that another one names, too, behind its own. */
  public PageMissing with(PageMissing next) {
    pages.addAll(next.pages);
    return this;
  }

  /**
   * Looks at all, also at those behind one that lacks a page, and throws what is missing as one: so
   * it is read side by side.
   *
   * @param look has no effect
   */
  public static <T> void ofAll(Iterable<T> all, Consumer<? super T> look) {
    PageMissing missing = null;
    for (T one : all) {
      missing = join(missing, one, look);
    }
    if (missing != null) {
      throw missing;
    }
  }

  private static <T> @Nullable PageMissing join(
      @Nullable PageMissing before, T one, Consumer<? super T> look) {
    try {
      look.accept(one);
      return before;
    } catch (PageMissing missing) {
      return before == null ? missing : before.with(missing);
    }
  }

  /** The page to load, with {@link PageRef#load}. */
  public PageRef page() {
    return pages.getFirst();
  }

  /** The page to load, then those that are worth loading beside it. */
  public List<PageRef> pages() {
    return List.copyOf(pages);
  }

  @Override
  public String getMessage() {
    return "not in memory: " + page();
  }
}
