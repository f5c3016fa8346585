package dev.upcall.io;

import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;

/** A port of a disk request that can tell whose it is; asked by schedulers and traces. */
public interface AskingPort extends CompletionPort<Unit> {
  /** Who asks, a small number of his own; 0 for nobody in particular. */
  int asker();

  /** For how long it was held back on purpose before it went to the device, in nanoseconds. */
  default long waitedNanos() {
    return 0;
  }

  /** How many requests were merged into the one that completes here. */
  default int parts() {
    return 1;
  }
}
