/**
 * Copy-on-write trees on pages, for inodes, names and extents, and for the tree access method.
 *
 * <p><b>Owns</b> the layout of tree pages and the algorithms on them. Pure: no I/O. A tree that
 * needs a page which is not in memory throws {@link dev.upcall.tree.PageMissing} and has changed
 * nothing; the caller loads the page and looks again. Start reading at {@link
 * dev.upcall.tree.Tree}, which has keys; {@link dev.upcall.tree.PositionTree} is searched by
 * position. {@link dev.upcall.tree.Frozen} is what a checkpoint writes, {@link
 * dev.upcall.tree.PageCache} what keeps clean pages within a budget, {@link
 * dev.upcall.tree.PagesCheck} what verifies.
 *
 * <p><b>Thread</b>: whichever owns the tree; any thread reads a {@link dev.upcall.tree.TreeVersion}
 * that was given to it.
 *
 * <p><b>May use</b> {@code dev.upcall.fsm} only.
 */
@NullMarked
package dev.upcall.tree;

import org.jspecify.annotations.NullMarked;
