package dev.upcall.tree;

import dev.upcall.base.Invariants;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the entries of a tree, upwards or downwards. Stands before its first entry when it
 * is made. Valid only inside one upcall and while the tree is not changed; using it after a change
 * is an invariant violation.
 *
 * <p>{@link #next} may throw {@link PageMissing}; the cursor then stands where it stood, and may be
 * asked again once the page is loaded. Who has walked from one page to the next is expected to walk
 * on: what is thrown then names the pages behind it, too.
 */
public final class Cursor {
  /** Pages that are read beside one that a walk has come to. */
  private static final int PAGES_AHEAD = 7;

  /** In a page the entry, or the child, that comes next; outside of it when none does. */
  private record Position(Page page, int next) {
    boolean ended() {
      return next < 0 || next >= page.count();
    }
  }

  private final Tree.@Nullable Changes changes;
  private final long changesAtStart;
  private final @Nullable PageRef root;
  private final byte[] start;

  /** 1 upwards, from the start on; -1 downwards, from below the start. */
  private final int step;

  /** Upwards nothing is wanted from there on, downwards nothing below it. */
  private byte @Nullable [] bound;

  private final List<Position> stack = new ArrayList<>();
  private boolean started;
  private @Nullable Page page;
  private int index;

  private Cursor(@Nullable PageRef root, byte[] start, int step, Tree.@Nullable Changes changes) {
    this.root = root;
    this.start = start;
    this.step = step;
    this.changes = changes;
    this.changesAtStart = changes == null ? 0 : changes.count();
  }

  /** The entries at or above a key, ascending. */
  static Cursor from(@Nullable PageRef root, byte[] key, Tree.@Nullable Changes changes) {
    return new Cursor(root, key, 1, changes);
  }

  /** The entries below a key, descending. */
  static Cursor below(@Nullable PageRef root, byte[] key, Tree.@Nullable Changes changes) {
    return new Cursor(root, key, -1, changes);
  }

  /**
   * Before the first step: entries at or above a key, downwards those below it, are not wanted. It
   * may end there, and needs no page that has no others.
   */
  public void to(byte[] key) {
    Invariants.check(!started, "a bound of a cursor that has begun");
    bound = key;
  }

  /**
   * Steps to the next entry.
   *
   * @return false behind the last one
   * @throws PageMissing if a page must be loaded first
   */
  public boolean next() {
    check();
    if (!started) {
      seek();
    }
    boolean walks = page != null;
    page = null;
    while (!stack.isEmpty()) {
      Position top = stack.getLast();
      if (top.ended()) {
        stack.removeLast();
      } else if (top.page().level() == 0) {
        step(top);
        page = top.page();
        index = top.next();
        return true;
      } else if (isBeyond(top)) {
        stack.clear();
      } else {
        Page child = child(top, walks);
        step(top);
        stack.add(new Position(child, step > 0 ? 0 : child.count() - 1));
      }
    }
    return false;
  }

  private Page child(Position top, boolean walks) {
    PageRef next = top.page().child(top.next());
    Page found = next.look();
    if (found != null) {
      return found;
    }
    if (!walks) {
      throw new PageMissing(next);
    }
    List<PageRef> ahead = new ArrayList<>(PAGES_AHEAD);
    for (int i = 1; i <= PAGES_AHEAD; i++) {
      Position behind = new Position(top.page(), top.next() + i * step);
      if (behind.ended() || isBeyond(behind)) {
        break;
      }
      PageRef page = top.page().child(behind.next());
      if (!page.isResident()) {
        ahead.add(page);
      }
    }
    throw new PageMissing(next, ahead);
  }

  /**
   * Whether nothing is wanted of a child: upwards for its low key, downwards for that behind it.
   */
  private boolean isBeyond(Position at) {
    byte[] end = bound;
    if (end == null) {
      return false;
    }
    int next = at.next();
    return step > 0
        ? at.page().compareKey(next, end) >= 0
        : next + 1 < at.page().count() && at.page().compareKey(next + 1, end) <= 0;
  }

  private void step(Position top) {
    stack.set(stack.size() - 1, new Position(top.page(), top.next() + step));
  }

  /** Builds the stack at the starting key; leaves nothing behind if a page is missing. */
  private void seek() {
    stack.clear();
    if (root != null) {
      Page at = root.resident();
      while (at.level() > 0) {
        int child = at.childIndex(start);
        if (step < 0 && child > 0 && at.compareKey(child, start) == 0) {
          child--; // all that is below it lies there
        }
        stack.add(new Position(at, child + step));
        at = at.child(child).resident();
      }
      int found = at.find(start);
      int atOrAbove = found >= 0 ? found : -found - 1;
      stack.add(new Position(at, step > 0 ? atOrAbove : atOrAbove - 1));
    }
    started = true;
  }

  /** A copy of the present entry's key. */
  public byte[] key() {
    return present().key(index);
  }

  /** A copy of the present entry's value. */
  public byte[] value() {
    return present().value(index);
  }

  private Page present() {
    check();
    return Invariants.present(page, "an entry under the cursor");
  }

  private void check() {
    if (changes != null && changes.count() != changesAtStart) {
      throw new IllegalStateException("the tree was changed under a cursor");
    }
  }
}
