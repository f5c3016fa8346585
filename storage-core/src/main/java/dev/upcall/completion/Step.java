package dev.upcall.completion;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * The port for a step on the way to another port; see {@link CompletionPort#then}.
 *
 * @param next goes on with the value
 * @param port gets the failure
 * @param <T> the type of the step's value
 */
public record Step<T>(Consumer<? super T> next, CompletionPort<?> port)
    implements CompletionPort<T> {
  /** Checks that nothing is missing. */
  public Step {
    Objects.requireNonNull(next, "next");
    Objects.requireNonNull(port, "port");
  }

  @Override
  public void complete(Completion<T> completion) {
    Objects.requireNonNull(completion, "completion");
    switch (completion) {
      case Completion.Done<T>(T value) -> next.accept(value);
      case Completion.Failed<T> failed -> port.complete(failed.cast());
    }
  }
}
