package dev.upcall.fileman.plan;

import dev.upcall.completion.Completion;
import dev.upcall.txn.Query;
import java.util.function.Supplier;

/**
 * An answer that is found in steps: each is one look, which others may run between. One thread.
 *
 * @param <S> what a step finds
 * @param <R> what all of them find
 */
public interface Walk<S, R> {
  /** Whether all that was asked for was found. */
  boolean isComplete();

  /** The most bytes of the heap that the result may take. */
  int maxBytes();

  /** What to ask next. */
  Query<S> nextStep();

  /** Takes its answer. */
  void take(S step);

  /** All that was found. */
  R result();

  /** All steps in one look, of one state: where nobody waits for its end but who asks. */
  static <S, R> Query<R> inOneLook(Supplier<? extends Walk<S, R>> begin) {
    return view -> {
      Walk<S, R> walk = begin.get();
      while (!walk.isComplete()) {
        switch (walk.nextStep().run(view)) {
          case Completion.Failed<S> failed -> {
            return failed.cast();
          }
          case Completion.Done<S>(S step) -> walk.take(step);
        }
      }
      return Completion.done(walk.result());
    };
  }
}
