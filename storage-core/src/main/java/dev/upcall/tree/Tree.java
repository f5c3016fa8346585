package dev.upcall.tree;

import dev.upcall.base.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * A copy-on-write B+ tree from byte strings to byte strings, ordered by unsigned bytes. Lives in
 * memory page by page; does no I/O. Whatever needs a page that is not in memory throws {@link
 * PageMissing} and has changed nothing.
 *
 * <p>Two phases: {@link #prepare} every key that is to be changed, then change them in the same
 * upcall; between upcalls the page cache may evict clean pages. Changes between prepares and puts
 * do not undo a prepare: pages are joined only with resident neighbours.
 *
 * <p>Removing may leave pages underfull, and a leaf empty where its neighbours are not in memory;
 * the next removal beside it joins them.
 */
public final class Tree {
  /** Counts changes, so that cursors notice them. */
  static final class Changes {
    private long count;

    long count() {
      return count;
    }
  }

  static final int MAX_HEIGHT = 24;

  private final TreeHome home;
  private final LivePages pages;
  private final DirtyBound bound;
  private final Changes changes = new Changes();
  private final PageRef[] pathPages = new PageRef[MAX_HEIGHT];
  private final int[] pathSlots = new int[MAX_HEIGHT];
  private @Nullable PageRef root;

  /**
   * Opens a tree.
   *
   * @param config the volume's geometry
   * @param treeId written into the pages and demanded back
   * @param root where the tree begins, or null for the empty tree
   * @param pages where residency and replaced pages are reported
   */
  public Tree(TreeConfig config, int treeId, @Nullable PageRef root, TreePages pages) {
    this(new TreeHome(config, treeId, pages), root);
  }

  private Tree(TreeHome home, @Nullable PageRef root) {
    this.home = home;
    this.pages = new LivePages(home);
    this.bound = DirtyBound.of(home.config());
    this.root = root == null ? null : root.boundTo(home);
    Invariants.check(root == null || root.hasAddress(), "root of a tree that was not written");
  }

  /**
   * The value of a key, as a copy, or null.
   *
   * @throws PageMissing if a page must be loaded first
   */
  public byte @Nullable [] get(byte[] key) {
    return get(root, key);
  }

  static byte @Nullable [] get(@Nullable PageRef root, byte[] key) {
    if (root == null) {
      return null;
    }
    Page leaf = leaf(root, key);
    int at = leaf.find(key);
    return at < 0 ? null : leaf.value(at);
  }

  private static Page leaf(PageRef root, byte[] key) {
    Page page = root.resident();
    while (page.level() > 0) {
      page = page.child(page.childIndex(key)).resident();
    }
    return page;
  }

  /** A key and its value, copies. */
  @SuppressWarnings("ArrayRecordComponent")
  public record Entry(byte[] key, byte[] value) {}

  /**
   * The first entry at or above a key, or null: a {@link Cursor} for one step.
   *
   * @throws PageMissing if a page must be loaded first
   */
  public @Nullable Entry ceiling(byte[] key) {
    return ceiling(root, key);
  }

  static @Nullable Entry ceiling(@Nullable PageRef top, byte[] key) {
    if (top == null) {
      return null;
    }
    Page leaf = leaf(top, key);
    int found = leaf.find(key);
    int at = found >= 0 ? found : -found - 1;
    if (at < leaf.count()) {
      return new Entry(leaf.key(at), leaf.value(at));
    }
    // The next entry, if any, begins another leaf.
    Cursor cursor = Cursor.from(top, key, null);
    return cursor.next() ? new Entry(cursor.key(), cursor.value()) : null;
  }

  /** Entries from the first key at or above the given one, ascending. */
  public Cursor from(byte[] key) {
    return Cursor.from(root, key, changes);
  }

  /** Entries below a key, descending. */
  public Cursor below(byte[] key) {
    return Cursor.below(root, key, changes);
  }

  /**
   * Makes sure that the key can be put or removed in this upcall without waiting.
   *
   * @throws PageMissing if a page must be loaded first
   */
  public void prepare(byte[] key) {
    if (root != null) {
      leaf(root, key);
    }
  }

  /**
   * Whether the leaf that has or would have a key was {@linkplain #lose lost}.
   *
   * @throws PageMissing if an inner page must be loaded first
   */
  public boolean isLost(byte[] key) {
    PageRef leaf = root == null ? null : leafPointer(root, key);
    return leaf != null && leaf.isLost();
  }

  private static PageRef leafPointer(PageRef root, byte[] key) {
    PageRef at = root;
    while (at.level() > 0) {
      Page page = at.resident();
      at = page.child(page.childIndex(key));
    }
    return at;
  }

  /**
   * The leaf that has a key, which has one copy and cannot be read, is damaged for good: a change
   * of it that was left out must not be missing from what a device shows again one day. The inner
   * pages on the way to it must be in memory, or {@code PageMissing}.
   */
  public void lose(byte[] key) {
    PageRef at = Invariants.present(root, "a root");
    leafPointer(at, key);
    changes.count++;
    at = pages.own(at);
    root = at;
    while (true) {
      Page page = at.resident();
      int slot = page.childIndex(key);
      if (page.level() == 1) {
        page.setChild(slot, page.child(slot).lost());
        return;
      }
      at = pages.own(page.child(slot));
      page.setChild(slot, at);
    }
  }

  /**
   * Sets the value of a key. Neither waits nor fails once {@link #prepare} has passed in the same
   * upcall. Key and value are copied.
   */
  public void put(byte[] key, byte[] value) {
    TreeConfig config = home.config();
    Invariants.check(key.length <= config.maxKeyBytes(), "key too long", key.length);
    Invariants.check(value.length <= config.maxValueBytes(), "value too long", value.length);
    int height = descend(key);
    changes.count++;
    if (height == 0) {
      root = pages.add(Page.create(config, 0, pages.edition()));
      height = descend(key);
    }
    own(height);
    Page leaf = pathPages[height - 1].resident();
    int found = leaf.find(key);
    if (found >= 0 && leaf.valueBytes(found) == value.length) {
      leaf.overwriteValue(found, value);
      return;
    }
    if (found >= 0) {
      leaf.remove(found);
    }
    insert(height - 1, found >= 0 ? found : -found - 1, key, value, null);
  }

  /**
   * Removes a key. Neither waits nor fails once {@link #prepare} has passed in the same upcall.
   *
   * @return whether there was one
   */
  public boolean remove(byte[] key) {
    int height = descend(key);
    int found = height == 0 ? -1 : pathPages[height - 1].resident().find(key);
    if (found < 0) {
      return false;
    }
    changes.count++;
    own(height);
    pathPages[height - 1].resident().remove(found);
    for (int depth = height - 1; depth > 0 && join(depth); depth--) {}
    lowerRoot();
    return true;
  }

  /** Finds the path to a key, from the root down; returns its length, 0 in the empty tree. */
  private int descend(byte[] key) {
    PageRef at = root;
    int depth = 0;
    while (at != null) {
      Page page = at.resident();
      pathPages[depth] = at;
      if (page.level() == 0) {
        return depth + 1;
      }
      pathSlots[depth] = page.childIndex(key);
      at = page.child(pathSlots[depth]);
      depth++;
    }
    return 0;
  }

  /** Makes the path that was found changeable. */
  private void own(int height) {
    for (int depth = 0; depth < height; depth++) {
      PageRef own = pages.own(pathPages[depth]);
      if (depth == 0) {
        root = own;
      } else {
        pathPages[depth - 1].resident().setChild(pathSlots[depth - 1], own);
      }
      pathPages[depth] = own;
    }
  }

  /** Inserts into the page at a depth of the path, splitting upwards as needed. */
  private void insert(int depth, int index, byte[] key, byte[] value, @Nullable PageRef child) {
    Page page = pathPages[depth].resident();
    if (page.fits(Page.entryBytes(key.length, value.length), home.config())) {
      page.insert(index, key, value, child);
      return;
    }
    PageSplit split;
    if (index == page.count() && (page.level() == 0 || isOnRightEdge(depth))) {
      // Alone to the right: whoever fills a tree in order gets full pages, and copies none.
      Page right = Page.create(home.config(), page.level(), pages.edition());
      right.insert(0, key, value, child);
      split = PageSplit.at(page, right);
    } else {
      Page overfull = page.copyWith(index, key, value, child, pages.edition());
      split = PageSplit.of(overfull, home.config(), pages.edition());
    }
    page = split.left();
    PageRef left = pathPages[depth];
    left.replacePage(page);
    PageRef right = pages.add(split.right());
    if (depth > 0) {
      insert(depth - 1, pathSlots[depth - 1] + 1, split.separator(), PageSplit.CHILD_PLACE, right);
      return;
    }
    Page top = Page.create(home.config(), page.level() + 1, pages.edition());
    top.insert(0, PageSplit.LOWEST_KEY, PageSplit.CHILD_PLACE, left);
    top.insert(1, split.separator(), PageSplit.CHILD_PLACE, right);
    root = pages.add(top);
  }

  private boolean isOnRightEdge(int depth) {
    for (int above = 0; above < depth; above++) {
      if (pathSlots[above] < pathPages[above].resident().count() - 1) {
        return false;
      }
    }
    return true;
  }

  /**
   * Joins an underfull page of the path with a resident neighbour, if both fit well into one.
   *
   * @return whether the page above lost an entry
   */
  private boolean join(int depth) {
    Page page = pathPages[depth].resident();
    TreeConfig config = home.config();
    int room = config.pageBytes() - Page.HEADER_BYTES;
    int most = config.maxEntries(page.level());
    if (page.usedBytes() * 4 > room && page.count() * 4 > most) {
      return false;
    }
    Page above = pathPages[depth - 1].resident();
    int slot = pathSlots[depth - 1];
    for (int left = slot - 1; left <= slot; left++) {
      int right = left + 1;
      if (left < 0 || right >= above.count()) {
        continue;
      }
      Page a = above.child(left).pageIfResident();
      Page b = above.child(right).pageIfResident();
      if (a == null
          || b == null
          || (a.count() + b.count()) * 4 > most * 3
          || (a.usedBytes() + b.usedBytes()) * 4 > room * 3) {
        continue;
      }
      PageRef into = pages.own(above.child(left));
      above.setChild(left, into);
      Page joined = into.resident();
      for (int i = 0; i < b.count(); i++) {
        joined.append(b, i);
      }
      pages.letGo(above.child(right));
      above.remove(right);
      return true;
    }
    return false;
  }

  /** A root with one child is none; an empty leaf as root is the empty tree. */
  private void lowerRoot() {
    PageRef top = root;
    while (top != null) {
      Page page = top.pageIfResident();
      if (page == null || page.count() > (page.level() == 0 ? 0 : 1)) {
        return;
      }
      PageRef below = page.level() == 0 ? null : page.child(0);
      if (below != null && below.level() == 0 && !pages.owns(below)) {
        return; // it may have one copy, and a root has two
      }
      pages.letGo(top);
      root = below;
      top = below;
    }
  }

  /**
   * The tree as it is now, for good; changes from now on are made to copies. Costs nothing.
   *
   * @param scn the SCN of the last change in it; written into the pages as their birth
   */
  public Frozen freeze(long scn) {
    return freeze(scn, /* leavesOnce= */ false);
  }

  /**
   * The same.
   *
   * @param leavesOnce whether a leaf below the root is written to one place: what is in it is lost
   *     with that
   */
  public Frozen freeze(long scn, boolean leavesOnce) {
    pages.freeze();
    return new Frozen(pages, root, scn, leavesOnce);
  }

  /**
   * The tree as it is now, to be read while this one goes on. Costs nothing now, and a copy of each
   * page when that is changed next; what a checkpoint will have to write stays the same.
   */
  public TreeVersion publish() {
    pages.freeze();
    return new TreeVersion(root);
  }

  /**
   * A private copy, to be changed and written before a commit names its root. This tree must have
   * no dirty pages. Both may go on independently; the pages that the copy replaces are reported to
   * the given receiver, to be freed with the commit.
   */
  public Tree fork(TreePages receiver) {
    Invariants.check(pages.dirty() == 0, "fork of a tree with dirty pages", pages.dirty());
    return new Tree(new TreeHome(home.config(), home.treeId(), receiver), root);
  }

  /** All pages of the tree as it is on disk; it must have no dirty pages. */
  public PageWalk walk() {
    Invariants.check(pages.dirty() == 0, "walk over a tree with dirty pages", pages.dirty());
    return new PageWalk(root);
  }

  /** Where the tree begins now; has no address while it is dirty. Null: empty. */
  public @Nullable PageRef root() {
    return root;
  }

  /** Pages on the longest path; 0 for the empty tree. */
  int height() {
    return root == null ? 0 : root.level() + 1;
  }

  /** How many pages a persist of the present state would write. */
  public int dirtyPages() {
    return pages.dirty();
  }

  /** How many places such a persist would need; see {@link #freeze(long, boolean)}. */
  public long dirtyBlocks(boolean leavesOnce) {
    return (long) pages.dirty() + pages.secondCopies(root, leavesOnce);
  }

  /** An upper bound of the additional dirty pages after that many puts and removes. */
  public int worstCaseDirtyPages(int changeCount) {
    PageRef top = root;
    Page page = top == null ? null : top.pageIfResident();
    int rootEntries = page == null ? bound.fanOut() : page.count();
    return (int) Math.min(Integer.MAX_VALUE, bound.pages(height(), rootEntries, changeCount));
  }
}
