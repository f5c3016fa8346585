package dev.upcall.txn;

import dev.upcall.completion.Completion;
import dev.upcall.txn.lock.Purpose;

/**
 * A mutating request in two phases: {@code plan} looks (and is run again from its start when a page
 * was missing, so it must have no side effects) and says what to do; what it said is then applied
 * at once, in the same upcall, as one atomic and durable unit. When it returns a failure nothing is
 * applied.
 */
@FunctionalInterface
public interface Change<T> extends Purpose {
  /**
   * Looks at the state and adds to {@code out} what shall change. Later looks of the same run do
   * not see what was added.
   */
  Completion<T> plan(View view, Mutations out);

  @Override
  default String purpose() {
    return "a change";
  }
}
