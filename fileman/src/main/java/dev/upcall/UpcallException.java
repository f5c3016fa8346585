package dev.upcall;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import java.util.Objects;

/** An expected outcome other than success, as the blocking facade reports it. */
public final class UpcallException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient Failure failure;

  /** Wraps a failure. */
  public UpcallException(Failure failure) {
    super(Objects.requireNonNull(failure, "failure").message());
    this.failure = failure;
  }

  /** A completion's value, or its failure thrown. */
  public static <T> T value(Completion<T> completion) {
    Objects.requireNonNull(completion, "completion");
    return switch (completion) {
      case Completion.Done<T>(T value) -> value;
      case Completion.Failed<T>(Failure failure) -> throw new UpcallException(failure);
    };
  }

  /** Which outcome. */
  public Failure failure() {
    return failure;
  }
}
