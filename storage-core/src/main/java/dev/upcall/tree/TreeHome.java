package dev.upcall.tree;

/**
 * What all pages of one tree have in common, so that a pointer can verify what it loads.
 *
 * @param config geometry and volume id
 * @param treeId written into each page
 * @param pages where residency and replaced pages are reported
 * @param byPosition whether it is a {@link PositionTree}, whose pages hold numbers
 */
record TreeHome(TreeConfig config, int treeId, TreePages pages, boolean byPosition) {
  /** Of a tree with keys. */
  TreeHome(TreeConfig config, int treeId, TreePages pages) {
    this(config, treeId, pages, /* byPosition= */ false);
  }
}
