package dev.upcall.txn;

import dev.upcall.completion.Completion;

/**
 * Something to find out. May run several times until all pages it looks at are in memory, so it
 * must have no side effects; keep one run short.
 */
@FunctionalInterface
public interface Query<T> {
  /** Looks; the last run's result is delivered. */
  Completion<T> run(View view);
}
