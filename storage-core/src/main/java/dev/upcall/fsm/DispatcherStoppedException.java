package dev.upcall.fsm;

import org.jspecify.annotations.Nullable;

/**
 * Thrown on the threads that wait for a dispatcher when it has stopped with their request inside:
 * nobody knows, nor will say, whether the request took effect. The cause is the error that stopped
 * it; there is none after an orderly {@link Dispatcher#stop}.
 */
public final class DispatcherStoppedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  DispatcherStoppedException(String dispatcher, @Nullable Throwable cause) {
    super(dispatcher + " stopped before the request completed; its outcome is not known", cause);
  }
}
