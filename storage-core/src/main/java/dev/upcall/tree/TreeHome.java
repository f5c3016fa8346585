package dev.upcall.tree;

/**
 * What all pages of one tree have in common, so that a pointer can verify what it loads.
 *
 * @param config geometry and volume id
 * @param treeId written into each page
 * @param pages where residency and replaced pages are reported
 */
record TreeHome(TreeConfig config, int treeId, TreePages pages) {}
