package dev.upcall.tree;

import dev.upcall.base.Invariants;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A copy-on-write tree of runs that is searched by position: a run has a length and a number, and
 * what comes before it gives it its position. Runs come in and go anywhere; all behind move, at the
 * price of one page a level, since keys are distances from where their page begins. Otherwise as
 * {@link Tree}: pages in memory, no I/O, {@link PageMissing} where one is needed, and then nothing
 * has changed that could be told.
 *
 * <pre>
 *  inner   [ 0 | a | a+b ]                 keys: where the child begins, from the page's begin
 *            |    \       \
 *  leaf   [0 x u] [0 y]  [0 z v]           keys: where the run begins; values: the run's number
 * </pre>
 *
 * <p>The byte k of a run with number n has number n + k. Where the last run of a page ends says the
 * page above, and of the root whoever keeps the root.
 */
public final class PositionTree {
  private static final int MAX_HEIGHT = 24;

  private final LivePages pages;
  private final PageRef[] pathPages = new PageRef[MAX_HEIGHT];
  private final int[] pathSlots = new int[MAX_HEIGHT];
  private @Nullable PageRef root;
  private long length;
  private long runs;

  /** Where in the leaf at the end of the path the position is, and how long that leaf is. */
  private long leafPosition;

  private long leafLength;

  /**
   * What is at a position.
   *
   * @param number the number there
   * @param left how much of the run there is from there on
   * @param before how much of the run there is before it
   */
  public record Spot(long number, long left, long before) {}

  /**
   * Where a tree begins, with what its pages do not say.
   *
   * @param page the root's page, or null: no runs
   * @param length of all runs
   * @param runs how many
   */
  public record Root(@Nullable PageRef page, long length, long runs) {
    /** Of no runs. */
    public static final Root EMPTY = new Root(null, 0, 0);
  }

  /** Opens a tree; see {@link Tree#Tree}. */
  public PositionTree(TreeConfig config, int treeId, Root root, TreePages pages) {
    TreeHome home = new TreeHome(config, treeId, pages, /* byPosition= */ true);
    PageRef page = root.page();
    this.pages = new LivePages(home);
    this.root = page == null ? null : page.boundTo(home);
    this.length = root.length();
    this.runs = root.runs();
    Invariants.check(page == null || page.hasAddress(), "root of a tree that was not written");
  }

  /** A root's page as one whose page and those below can be loaded. */
  public static PageRef bound(TreeConfig config, int treeId, PageRef root, TreePages pages) {
    return root.boundTo(new TreeHome(config, treeId, pages, /* byPosition= */ true));
  }

  /** Where it begins now; its page has no address while it is dirty. */
  public Root root() {
    return new Root(root, length, runs);
  }

  /** How many pages a persist of the present state would write. */
  public int dirtyPages() {
    return pages.dirty();
  }

  /** The tree as it is now, for good, to be written; see {@link Tree#freeze}. */
  public Frozen freeze(long scn) {
    pages.freeze();
    return new Frozen(pages, root, scn, /* leavesOnce= */ false);
  }

  // ------------------------------------------------------------------ looking

  /**
   * What is at a position.
   *
   * @throws PageMissing if a page must be loaded first
   */
  public Spot find(long position) {
    return find(Invariants.present(root, "a tree with runs"), length, position);
  }

  /**
   * The same in a tree that nobody changes. Any thread.
   *
   * @param root where it begins, bound
   * @param length of all its runs
   */
  public static Spot find(PageRef root, long length, long position) {
    if (position < 0 || position >= length) {
      throw new IndexOutOfBoundsException("position " + position + " of " + length);
    }
    Page page = root.resident();
    long at = position;
    long end = length;
    while (true) {
      int slot = page.floor(at);
      long start = page.number(slot);
      long behind = slot + 1 < page.count() ? page.number(slot + 1) : end;
      if (page.level() == 0) {
        return new Spot(page.numberValue(slot) + at - start, behind - at, at - start);
      }
      at -= start;
      end = behind - start;
      page = page.child(slot).resident();
    }
  }

  // ------------------------------------------------------------------ changing

  /**
   * Puts a run in at a position, the end included; what is there and behind moves.
   *
   * @throws PageMissing if a page must be loaded first
   */
  public void insert(long position, long runLength, long number) {
    Invariants.check(position >= 0 && position <= length, "insert outside", position, length);
    Invariants.check(runLength > 0 && number >= 0, "no run", runLength, number);
    long newLength = Math.addExact(length, runLength);
    if (root == null) {
      root = pages.add(Page.create(pages.home().config(), 0, pages.edition()));
    } else {
      cut(position);
      find(Math.min(position, length - 1));
    }
    int height = descend(position);
    Page leaf = pathPages[height - 1].resident();
    int index = leafPosition == leafLength ? leaf.count() : pathSlots[height - 1];
    move(height, index, runLength);
    length = newLength;
    insert(height - 1, index, leafPosition, value(number), null);
    runs++;
  }

  /**
   * Takes what is at a position out, as much of it as lies in one page; what is behind moves.
   *
   * @param most how much at most; there must be so much
   * @return how much it was, at least one
   * @throws PageMissing if a page must be loaded first
   */
  public long remove(long position, long most) {
    Invariants.check(position >= 0 && most > 0, "remove nothing", position, most);
    Invariants.check(most <= length - position, "remove outside", position, most);
    cut(position);
    cut(position + most);
    find(position);
    int height = descend(position);
    Page leaf = pathPages[height - 1].resident();
    int index = pathSlots[height - 1];
    long end = Math.min(leafPosition + most, leafLength);
    long gone = end - leafPosition;
    while (index < leaf.count() && leaf.number(index) < end) {
      leaf.remove(index);
      runs--;
    }
    move(height, index, -gone);
    length -= gone;
    joinRuns(leaf, index);
    tidy(height - 1);
    return gone;
  }

  /** Makes a run begin at a position. */
  private void cut(long position) {
    if (position == 0 || position == length || find(position - 1).left() == 1) {
      return;
    }
    int height = descend(position);
    Page leaf = pathPages[height - 1].resident();
    int slot = pathSlots[height - 1];
    long number = leaf.numberValue(slot) + leafPosition - leaf.number(slot);
    insert(height - 1, slot + 1, leafPosition, value(number), null);
    runs++;
  }

  /** Makes the path to a position changeable, from the root down; returns its length. */
  private int descend(long position) {
    PageRef at = pages.own(Invariants.present(root, "a root"));
    root = at;
    leafPosition = position;
    leafLength = length;
    int depth = 0;
    while (true) {
      pathPages[depth] = at;
      Page page = at.resident();
      int slot = page.count() == 0 ? 0 : page.floor(leafPosition);
      pathSlots[depth] = slot;
      if (page.level() == 0) {
        return depth + 1;
      }
      long start = page.number(slot);
      leafLength = (slot + 1 < page.count() ? page.number(slot + 1) : leafLength) - start;
      leafPosition -= start;
      at = pages.own(page.child(slot));
      page.setChild(slot, at);
      depth++;
    }
  }

  /** All behind the path, and from an entry of its leaf on, begins later by so much. */
  private void move(int height, int index, long by) {
    for (int depth = 0; depth < height; depth++) {
      int first = depth == height - 1 ? index : pathSlots[depth] + 1;
      pathPages[depth].resident().moveNumbers(first, by);
    }
  }

  /** Inserts into the page at a depth of the path, splitting upwards as needed. */
  private void insert(int depth, int index, long number, byte[] value, @Nullable PageRef child) {
    TreeConfig config = pages.home().config();
    Page page = pathPages[depth].resident();
    byte[] key = key(number);
    if (page.fits(Page.entryBytes(key.length, value.length), config)) {
      page.insert(index, key, value, child);
      return;
    }
    Page overfull = page.copyWith(index, key, value, child, pages.edition());
    // Whoever fills a tree in order gets full pages.
    int cut = isLast(depth, index) ? page.count() : (page.count() + 1) / 2;
    long first = overfull.number(cut);
    Page lower = Page.create(config, page.level(), pages.edition());
    Page upper = Page.create(config, page.level(), pages.edition());
    for (int i = 0; i < cut; i++) {
      lower.append(overfull, i);
    }
    append(upper, overfull, cut, -first);
    PageRef left = pathPages[depth];
    left.replacePage(lower);
    PageRef right = pages.add(upper);
    if (depth > 0) {
      int slot = pathSlots[depth - 1];
      long begin = pathPages[depth - 1].resident().number(slot);
      insert(depth - 1, slot + 1, begin + first, PageSplit.CHILD_PLACE, right);
      return;
    }
    Page top = Page.create(config, page.level() + 1, pages.edition());
    top.insert(0, key(0), PageSplit.CHILD_PLACE, left);
    top.insert(1, key(first), PageSplit.CHILD_PLACE, right);
    root = pages.add(top);
  }

  private boolean isLast(int depth, int index) {
    for (int above = 0; above < depth; above++) {
      if (pathSlots[above] < pathPages[above].resident().count() - 1) {
        return false;
      }
    }
    return index == pathPages[depth].resident().count();
  }

  /** Appends the entries of another page from one on, their numbers changed by so much. */
  private static void append(Page to, Page from, int first, long by) {
    for (int i = first; i < from.count(); i++) {
      to.append(from, i);
      to.setNumber(to.count() - 1, from.number(i) + by);
    }
  }

  /** Two runs of a leaf that go on in each other are one. */
  private void joinRuns(Page leaf, int index) {
    if (index > 0
        && index < leaf.count()
        && leaf.numberValue(index - 1) + leaf.number(index) - leaf.number(index - 1)
            == leaf.numberValue(index)) {
      leaf.remove(index);
      runs--;
    }
  }

  /** Empty pages of the path go, from this depth up, and small ones join their neighbours. */
  private void tidy(int from) {
    int depth = from;
    while (depth > 0 && pathPages[depth].resident().count() == 0) {
      pages.letGo(pathPages[depth]);
      pathPages[depth - 1].resident().remove(pathSlots[depth - 1]);
      depth--;
    }
    while (depth > 0 && join(depth)) {
      depth--;
    }
    lowerRoot();
  }

  /**
   * Joins an underfull page of the path with a resident neighbour, if both fit well into one.
   *
   * @return whether the page above lost an entry
   */
  private boolean join(int depth) {
    TreeConfig config = pages.home().config();
    Page page = pathPages[depth].resident();
    int room = config.pageBytes() - Page.HEADER_BYTES;
    int most = config.maxEntries(page.level());
    if (page.usedBytes() * 4 > room || page.count() * 4 > most) {
      return false;
    }
    Page above = pathPages[depth - 1].resident();
    int slot = pathSlots[depth - 1];
    for (int left = Math.max(0, slot - 1); left <= slot && left + 1 < above.count(); left++) {
      Page a = above.child(left).pageIfResident();
      Page b = above.child(left + 1).pageIfResident();
      if (a == null
          || b == null
          || (a.count() + b.count()) * 4 > most * 3
          || (a.usedBytes() + b.usedBytes()) * 4 > room * 3) {
        continue;
      }
      PageRef into = pages.own(above.child(left));
      above.setChild(left, into);
      append(into.resident(), b, 0, above.number(left + 1) - above.number(left));
      pages.letGo(above.child(left + 1));
      above.remove(left + 1);
      return true;
    }
    return false;
  }

  /** A root with one child is none; an empty page as root is the empty tree. */
  private void lowerRoot() {
    PageRef top = root;
    while (top != null) {
      Page page = top.pageIfResident();
      if (page == null || page.count() > (page.level() == 0 ? 0 : 1)) {
        return;
      }
      PageRef below = page.level() == 0 || page.count() == 0 ? null : page.child(0);
      pages.letGo(top);
      root = below;
      top = below;
    }
  }

  private static byte[] key(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private static byte[] value(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }
}
