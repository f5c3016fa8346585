package dev.upcall.tree;

import org.jspecify.annotations.Nullable;

/**
 * The pages of a tree that changes: which of them may be changed where they are, which are copied
 * first, and how many a persist would write.
 */
final class LivePages {
  private final TreeHome home;
  private Edition edition = new Edition();
  private int dirty;
  private int dirtyLeaves;

  LivePages(TreeHome home) {
    this.home = home;
  }

  /** Who may change pages that are made from now on, until the next {@link #freeze}. */
  Edition edition() {
    return edition;
  }

  /** No page that there is may be changed any more. */
  void freeze() {
    edition = new Edition();
  }

  /** The page itself if it may be changed in place, else a copy that may. */
  PageRef own(PageRef ref) {
    Page page = ref.resident();
    if (page.belongsTo(edition)) {
      return ref;
    }
    PageRef copy = add(page.copy(edition));
    letGo(ref);
    return copy;
  }

  /** A pointer to a new page. */
  PageRef add(Page page) {
    dirty++;
    dirtyLeaves += page.level() == 0 ? 1 : 0;
    home.pages().added();
    return PageRef.toNew(home, page);
  }

  /** Whether the page may be changed in place. */
  boolean owns(PageRef ref) {
    Page page = ref.pageIfResident();
    return page != null && page.belongsTo(edition);
  }

  /** The live tree uses the page no more. */
  void letGo(PageRef ref) {
    ref.leaveLiveTree();
    if (ref.hasAddress()) {
      home.pages().replaced(ref);
    } else {
      clean(ref);
    }
  }

  private void clean(PageRef ref) {
    dirty--;
    dirtyLeaves -= ref.level() == 0 ? 1 : 0;
  }

  /** A page of the tree got its address. */
  void assigned(PageRef ref) {
    if (ref.isLive()) {
      clean(ref);
    } else {
      home.pages().replaced(ref);
    }
  }

  /** How many pages a persist of the present state would write. */
  int dirty() {
    return dirty;
  }

  /**
   * How many of them would get a second place.
   *
   * @param leavesOnce whether leaves get none, but for one that is the root: without a root nothing
   *     can be opened
   */
  int secondCopies(@Nullable PageRef root, boolean leavesOnce) {
    boolean isDirtyLeaf = root != null && root.level() == 0 && !root.hasAddress();
    return leavesOnce ? dirty - dirtyLeaves + (isDirtyLeaf ? 1 : 0) : dirty;
  }

  TreeHome home() {
    return home;
  }
}
