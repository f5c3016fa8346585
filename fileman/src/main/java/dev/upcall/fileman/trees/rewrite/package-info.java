/**
 * Files that are stored anew, as they say.
 *
 * <p><b>Owns</b> nothing.
 *
 * <p><b>Thread</b>: the caller's, which waits.
 *
 * <p><b>May use</b> what programs name of a store. Start with {@link
 * dev.upcall.fileman.trees.rewrite.TreeRewrite}.
 */
@NullMarked
package dev.upcall.fileman.trees.rewrite;

import org.jspecify.annotations.NullMarked;
