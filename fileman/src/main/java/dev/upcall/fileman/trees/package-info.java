/**
 * Work on whole trees of a store, below {@link dev.upcall.trees.Trees}.
 *
 * <p><b>Owns</b> the place of each walk, the comparison of a directory of the host with what a
 * store holds, and the state of imports that is kept in the store (an attribute of each imported
 * entry).
 *
 * <p><b>Thread</b>: the caller's, and a few of its own that read and write the host's files; all
 * reach the store through its faces. A {@link dev.upcall.fileman.trees.TreeCursor} does no I/O and
 * says what it needs, so that calls, stages and ports walk in the same way.
 *
 * <p><b>May use</b> what programs name of a store, and the host's file system.
 */
@NullMarked
package dev.upcall.fileman.trees;

import org.jspecify.annotations.NullMarked;
