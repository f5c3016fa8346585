package dev.upcall.threads.log;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;

/**
 * The way from a log of threads to the machines: whatever they are told is an upcall.
 *
 * @param dispatcher the machines'
 */
record MachinePorts(Dispatcher dispatcher) {
  private static final System.Logger LOG = System.getLogger(MachinePorts.class.getName());

  /** A port for any thread that completes a machine's. */
  CompletionPort<Unit> later(CompletionPort<Unit> port) {
    return completion -> post(() -> port.complete(completion));
  }

  /** Runs something among the machines. */
  void post(Runnable upcall) {
    try {
      dispatcher.execute(upcall);
    } catch (RejectedExecutionException ended) {
      // A programmer's error has stopped the machines, and whoever waits for them is told so.
      LOG.log(Level.DEBUG, "the machines are gone", ended);
    }
  }
}
