/**
 * {@code upcall trace replay} of what a store has recorded with its inputs: the calls, given again
 * to a new store on a simulated disk, and what the machines do compared with what they did.
 *
 * <p><b>Start with</b> {@link dev.upcall.feed.replay.StoreReplay}.
 */
@NullMarked
package dev.upcall.feed.replay;

import org.jspecify.annotations.NullMarked;
