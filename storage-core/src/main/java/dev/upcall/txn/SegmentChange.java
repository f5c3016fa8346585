package dev.upcall.txn;

import dev.upcall.completion.Completion;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.lock.LockOwner;
import dev.upcall.txn.lock.Purpose;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Change} by storage-core's own layers, which also works on content.
 *
 * @param <T> what it gives back
 */
@FunctionalInterface
public interface SegmentChange<T> extends Purpose {
  /** As {@link Change#plan}. */
  Completion<T> plan(View view, SegmentMutations out);

  /** Whose locks do not stand in its way; null for a change that stands alone. */
  default @Nullable LockOwner lockOwner() {
    return null;
  }

  @Override
  default String purpose() {
    return "a change";
  }

  /** The object whose class says in meters what is being changed: the outermost one that knows. */
  default Object author() {
    return this;
  }

  /** A change by whoever, in his words. */
  static <T> SegmentChange<T> of(Change<T> change) {
    return new SegmentChange<>() {
      @Override
      public Object author() {
        return change;
      }

      @Override
      public Completion<T> plan(View view, SegmentMutations out) {
        return change.plan(view, out);
      }

      @Override
      public String purpose() {
        return change.purpose();
      }

      @Override
      public String nameOf(LockKey key) {
        return change.nameOf(key);
      }
    };
  }
}
