package dev.upcall.httpd.session;

import dev.upcall.fsm.Dispatcher;
import java.util.ArrayDeque;

/**
 * The connections that were written to since the last flush. They are flushed together by one
 * upcall, behind those that were waiting in the FIFO when the first of them was written to: so what
 * one batch of completions answers leaves as one batch, with one system call a connection at most.
 */
public final class FlushQueue {
  private final Dispatcher dispatcher;
  private final ArrayDeque<SocketConnection> written = new ArrayDeque<>();
  private final Runnable flush = this::flush;

  public FlushQueue(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** Adds a connection that is not in the queue. */
  void add(SocketConnection connection) {
    if (written.isEmpty()) {
      dispatcher.post(flush);
    }
    written.addLast(connection);
  }

  private void flush() {
    for (SocketConnection next = written.pollFirst(); next != null; next = written.pollFirst()) {
      next.flush();
    }
  }
}
