/**
 * Whole trees of a store: walks and patterns, copies and clones, imports from the host and exports
 * to it, with progress, cancellation and a list of problems. Start with {@link
 * dev.upcall.trees.Trees}.
 *
 * <p><b>Owns</b> nothing; what does the work is {@code dev.upcall.fileman.trees}.
 *
 * <p><b>Thread</b>: any but the store's own; what waits says so.
 *
 * <p><b>May use</b> {@code dev.upcall}, {@code dev.upcall.stage} and the words that they use.
 */
@NullMarked
package dev.upcall.trees;

import org.jspecify.annotations.NullMarked;
