package dev.upcall.tree;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tree as it was at one moment, to be written to disk page by page from the leaves up while the
 * live tree goes on. {@link TreeVersion} is to be read.
 */
public final class Frozen {
  private record Position(PageRef ref, Page page, int next) {}

  private final LivePages pages;
  private final @Nullable PageRef root;
  private final long scn;
  private final int dirtyPages;
  private final int secondCopies;
  private final boolean leavesOnce;
  private final List<Position> stack = new ArrayList<>();
  private boolean started;

  Frozen(LivePages pages, @Nullable PageRef root, long scn, boolean leavesOnce) {
    this.pages = pages;
    this.root = root;
    this.scn = scn;
    this.leavesOnce = leavesOnce;
    this.dirtyPages = pages.dirty();
    this.secondCopies = pages.secondCopies(root, leavesOnce);
  }

  /** The tree's id. */
  public int treeId() {
    return pages.home().treeId();
  }

  /** Where it begins; complete once every dirty page has its address. Null: empty. */
  public @Nullable PageRef root() {
    return root;
  }

  /** The SCN of the last change in it. */
  public long scn() {
    return scn;
  }

  /**
   * How many pages {@link #nextToPersist} hands out, if no other frozen state of the same tree is
   * written in between (then fewer).
   */
  public int dirtyPages() {
    return dirtyPages;
  }

  /** How many of {@link #dirtyPages} get a second place. */
  public int secondCopies() {
    return secondCopies;
  }

  /**
   * The next page to write, children before parents, or null at the end. Assign its addresses
   * before asking for the next one; the writes themselves may complete in any order and later.
   */
  public @Nullable DirtyPage nextToPersist() {
    if (!started) {
      started = true;
      push(root);
    }
    while (!stack.isEmpty()) {
      Position top = stack.getLast();
      if (top.page().level() > 0 && top.next() < top.page().count()) {
        stack.set(stack.size() - 1, new Position(top.ref(), top.page(), top.next() + 1));
        push(top.page().childIfMade(top.next())); // one that was not made is on disk
        continue;
      }
      if (top.ref().hasAddress()) {
        stack.removeLast();
        continue;
      }
      boolean once = leavesOnce && top.page().level() == 0 && top.ref() != root;
      return new DirtyPage(pages, top.ref(), top.page(), scn, once);
    }
    return null;
  }

  private void push(@Nullable PageRef ref) {
    if (ref != null && !ref.hasAddress()) {
      stack.add(new Position(ref, ref.resident(), 0));
    }
  }
}
