package dev.upcall.completion;

import java.util.Objects;
import java.util.function.Function;

/**
 * The typed result of a request: either its value or an expected {@link Failure}.
 *
 * <p>Programmer's errors never travel as completions; they are thrown and stop the store.
 *
 * @param <T> the value's type; use {@link Unit} where there is nothing to say
 */
public sealed interface Completion<T> {
  /**
   * The request did what it was asked.
   *
   * @param value what it gives back
   * @param <T> the value's type
   */
  record Done<T>(T value) implements Completion<T> {
    /** Checks that nothing is missing. */
    public Done {
      Objects.requireNonNull(value, "value");
    }
  }

  /**
   * The request had an expected outcome other than success; nothing was changed unless the failure
   * says so.
   *
   * @param failure which outcome
   * @param <T> the type of the value that did not come
   */
  record Failed<T>(Failure failure) implements Completion<T> {
    /** Checks that nothing is missing. */
    public Failed {
      Objects.requireNonNull(failure, "failure");
    }

    /** The same failure as the result of a request of another type. */
    @SuppressWarnings("unchecked")
    public <R> Failed<R> cast() {
      return (Failed<R>) this;
    }
  }

  /** What a function makes of the value, or the same failure. */
  default <R> Completion<R> map(Function<? super T, ? extends R> change) {
    Objects.requireNonNull(change, "change");
    return flatMap(value -> done(change.apply(value)));
  }

  /** What a function answers to the value, or the same failure. */
  default <R> Completion<R> flatMap(Function<? super T, Completion<R>> next) {
    Objects.requireNonNull(next, "next");
    return switch (this) {
      case Done<T>(T value) -> next.apply(value);
      case Failed<T> failed -> failed.cast();
    };
  }

  /** A completion that carries a value. */
  static <T> Completion<T> done(T value) {
    return new Done<>(value);
  }

  /** A completion that says that it was done and no more. */
  static Completion<Unit> done() {
    return Unit.DONE;
  }

  /** A completion that carries a failure. */
  static <T> Completion<T> failed(Failure failure) {
    return new Failed<>(failure);
  }
}
