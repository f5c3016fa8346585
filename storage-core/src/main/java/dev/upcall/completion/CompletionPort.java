package dev.upcall.completion;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * Where a completion is delivered. A port is <em>active</em>: its upcall runs on the dispatcher
 * thread that serviced the request, exactly once, never inside the call that made the request, and
 * must not block. A passive port is an active port whose upcall only enqueues.
 *
 * @param <T> the value's type
 */
@FunctionalInterface
public interface CompletionPort<T> {
  /** The upcall. */
  void complete(Completion<T> completion);

  /** A port for a step on the way here: a failure comes here at once, a value goes on. */
  default <S> CompletionPort<S> then(Consumer<? super S> next) {
    Objects.requireNonNull(next, "next");
    return new Step<>(next, this);
  }

  /** A port that tells a value from a failure. */
  static <T> CompletionPort<T> of(Consumer<? super T> done, Consumer<? super Failure> failed) {
    Objects.requireNonNull(done, "done");
    Objects.requireNonNull(failed, "failed");
    CompletionPort<T> failures =
        completion -> failed.accept(((Completion.Failed<T>) completion).failure());
    return failures.then(done);
  }
}
