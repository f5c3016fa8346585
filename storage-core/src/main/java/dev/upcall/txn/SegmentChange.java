package dev.upcall.txn;

import dev.upcall.completion.Completion;
import dev.upcall.txn.lock.LockOwner;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Change} by storage-core's own layers, which also works on content.
 *
 * @param <T> what it gives back
 */
@FunctionalInterface
public interface SegmentChange<T> {
  /** As {@link Change#plan}. */
  Completion<T> plan(View view, SegmentMutations out);

  /** Whose locks do not stand in its way; null for a change that stands alone. */
  default @Nullable LockOwner lockOwner() {
    return null;
  }
}
