package dev.upcall.fsm.door;

import dev.upcall.fsm.Dispatcher;
import java.util.Objects;

/** Tells somebody who lives elsewhere that a dispatcher has ended. Any thread. */
public final class EndWatch implements AutoCloseable {
  private final Dispatcher dispatcher;
  private final long hook;

  /**
   * Watches.
   *
   * @param whenEnded run once, on the dispatcher's last thread, or here and now if it has ended
   */
  public EndWatch(Dispatcher dispatcher, Runnable whenEnded) {
    this.dispatcher = Objects.requireNonNull(dispatcher, "dispatcher");
    this.hook = dispatcher.terminations().add(Objects.requireNonNull(whenEnded, "whenEnded"));
  }

  /** Watches no more. */
  @Override
  public void close() {
    dispatcher.terminations().remove(hook);
  }
}
