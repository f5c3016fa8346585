package dev.upcall.txn;

import dev.upcall.fsm.Completion;

/**
 * A {@link Change} by storage-core's own layers, which also works on content.
 *
 * @param <T> what it gives back
 */
@FunctionalInterface
public interface SegmentChange<T> {
  /** As {@link Change#plan}. */
  Completion<T> plan(View view, SegmentMutations out);
}
