package dev.upcall.completion;

import java.util.Objects;
import java.util.function.Supplier;

/**
 * Carries an expected failure from deep inside a pure function, a planner or the reading of a path,
 * to its one entrance. Has no stack trace and never gets further.
 */
public final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient Failure failure;

  public Refused(Failure failure) {
    super(Objects.requireNonNull(failure, "failure").message(), null, false, false);
    this.failure = failure;
  }

  /** The entrance: runs a planner and turns a refusal into a completion. */
  public static <T> Completion<T> catching(Supplier<? extends T> planner) {
    Objects.requireNonNull(planner, "planner");
    try {
      return Completion.done(planner.get());
    } catch (Refused refused) {
      return Completion.failed(refused.failure);
    }
  }
}
