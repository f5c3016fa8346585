package dev.upcall.tree;

/**
 * The pages of a tree that changes: which of them may be changed where they are, which are copied
 * first, and how many a persist would write.
 */
final class LivePages {
  private final TreeHome home;
  private Edition edition = new Edition();
  private int dirty;

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
    return PageRef.toNew(home, page);
  }

  /** The live tree uses the page no more. */
  void letGo(PageRef ref) {
    ref.leaveLiveTree();
    if (ref.hasAddress()) {
      home.pages().replaced(ref.addressA(), ref.addressB(), ref.birth());
    } else {
      dirty--;
    }
  }

  /** A page of the tree got its address. */
  void assigned(PageRef ref) {
    if (ref.isLive()) {
      dirty--;
    } else {
      home.pages().replaced(ref.addressA(), ref.addressB(), ref.birth());
    }
  }

  /** How many pages a persist of the present state would write. */
  int dirty() {
    return dirty;
  }

  TreeHome home() {
    return home;
  }
}
