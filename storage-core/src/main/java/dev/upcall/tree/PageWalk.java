package dev.upcall.tree;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All pages of a tree that is on disk, children before parents: for giving a dropped tree back and
 * for counting what a tree holds. Leaves are named without being loaded. Goes on over any number of
 * upcalls; the tree itself may change meanwhile, the walk stays with the root it began with (whose
 * pages must not be reused before it ends).
 */
public final class PageWalk {
  private record Position(PageRef ref, Page page, int next) {}

  private final List<Position> stack = new ArrayList<>();
  private @Nullable PageRef pending;

  PageWalk(@Nullable PageRef root) {
    pending = root;
  }

  /**
   * The next page, or null at the end.
   *
   * @throws PageMissing if an inner page must be loaded first; the walk then stands where it stood
   */
  public @Nullable PageRef next() {
    while (true) {
      PageRef ref = pending;
      if (ref != null) {
        if (ref.level() == 0) {
          pending = null;
          return ref;
        }
        stack.add(new Position(ref, ref.resident(), 0));
        pending = null;
      }
      if (stack.isEmpty()) {
        return null;
      }
      Position top = stack.removeLast();
      if (top.next() == top.page().count()) {
        return top.ref();
      }
      stack.add(new Position(top.ref(), top.page(), top.next() + 1));
      pending = top.page().child(top.next());
    }
  }
}
