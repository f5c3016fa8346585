package dev.upcall.fsm;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import java.util.Objects;

/**
 * An upcall or {@link CompletionPort} of one class that does another's work, and is named with it
 * in meters and in the flight recorder: which class has run tells little where all changes run by
 * the same one. Owner's thread.
 */
public interface OnBehalf {
  /** Whose work it is: an object that is named as an upcall is, by its class. */
  Object whose();

  /** The same port, named with whose work it goes on with. */
  static <T> CompletionPort<T> port(Object whose, CompletionPort<T> port) {
    return new Port<>(whose, port);
  }

  /** A port that says whose work it is. */
  record Port<T>(Object whose, CompletionPort<T> port) implements CompletionPort<T>, OnBehalf {
    /** Checks that nothing is missing. */
    public Port {
      Objects.requireNonNull(whose, "whose");
      Objects.requireNonNull(port, "port");
    }

    @Override
    public void complete(Completion<T> completion) {
      port.complete(Objects.requireNonNull(completion, "completion"));
    }
  }
}
