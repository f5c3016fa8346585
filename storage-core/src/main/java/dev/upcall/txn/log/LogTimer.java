package dev.upcall.txn.log;

import dev.upcall.fsm.Dispatcher;
import org.jspecify.annotations.Nullable;

/** What the log does later, unless something comes before. Dispatcher's thread. */
final class LogTimer {
  private final Dispatcher dispatcher;
  private final long delayNanos;
  private final Runnable upcall;
  private Dispatcher.@Nullable Timer timer;

  /** Not armed yet. */
  LogTimer(Dispatcher dispatcher, long delayNanos, Runnable upcall) {
    this.dispatcher = dispatcher;
    this.delayNanos = delayNanos;
    this.upcall = upcall;
  }

  /** The time runs from now on, unless it does already. */
  void arm() {
    if (timer == null || !timer.isPending()) {
      timer = dispatcher.schedule(delayNanos, upcall);
    }
  }

  /** Nothing happens when the time is over. */
  void cancel() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
