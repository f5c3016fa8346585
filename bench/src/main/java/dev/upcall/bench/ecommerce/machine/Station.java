package dev.upcall.bench.ecommerce.machine;

import dev.upcall.fsm.Dispatcher;

/** A processor that serves one after the other. */
public final class Station {
  private final Dispatcher dispatcher;
  private long freeNanos;

  Station(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** Runs it when the processor has worked so long for whoever asks. */
  void serve(long nanos, Runnable then) {
    long now = dispatcher.clock().monotonicNanos();
    freeNanos = Math.max(now, freeNanos) + nanos;
    dispatcher.schedule(freeNanos - now, then);
  }
}
