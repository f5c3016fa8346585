package dev.upcall.threads.log;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Dispatcher;

/**
 * The way from a log of threads to the machines: whatever they are told is an upcall.
 *
 * @param dispatcher the machines'
 */
record MachinePorts(Dispatcher dispatcher) {
  /** A port for any thread that completes a machine's. */
  CompletionPort<Unit> later(CompletionPort<Unit> port) {
    return completion -> post(() -> port.complete(completion));
  }

  /** Runs something among the machines. */
  void post(Runnable upcall) {
    // Machines that a programmer's error has stopped need no telling; who waits for them is told
    // so.
    dispatcher.offer(upcall);
  }
}
