package dev.upcall.fsm;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Thrown on the threads that wait for a dispatcher when it has stopped with their request inside:
 * nobody knows, nor will say, whether the request took effect; and on those that come to one that
 * has failed, of which nothing was begun. The cause is the error that stopped it; there is none
 * after an orderly {@link Dispatcher#stop}.
 */
public final class DispatcherStoppedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private DispatcherStoppedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** For who has waited for it and its request. */
  public static DispatcherStoppedException outcomeUnknown(Dispatcher dispatcher) {
    return because(dispatcher, "stopped before the request completed; its outcome is not known");
  }

  /** For who comes when it has ended. */
  public static DispatcherStoppedException refused(Dispatcher dispatcher) {
    return because(dispatcher, "has stopped and takes no more requests");
  }

  /** Has the JVM load what is needed to tell of an end. */
  static void load() {
    DispatcherFailure.cause(new DispatcherStoppedException("nobody", null));
  }

  private static DispatcherStoppedException because(Dispatcher dispatcher, String what) {
    Objects.requireNonNull(dispatcher, "dispatcher");
    DispatcherFailure why = dispatcher.failure().orElse(null);
    return new DispatcherStoppedException(
        why == null
            ? dispatcher.config().name() + " " + what
            : "%s %s; it was stopped by %s"
                .formatted(dispatcher.config().name(), what, why.cause()),
        why == null ? null : why.error());
  }
}
