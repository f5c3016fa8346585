package dev.upcall.httpd.session;

import dev.upcall.fsm.Dispatcher;
import java.util.ArrayDeque;

/**
 * The connections that were written to since the last flush. They are flushed together by one
 * upcall, behind those that were waiting in the FIFO when the first of them was written to: so what
 * one batch of completions answers leaves as one batch, with one system call a connection at most.
 */
public final class FlushQueue {
  /** Bytes that are encrypted by one upcall: about 50 us. */
  public static final int MOST_ENCRYPTED_BYTES = 256 << 10;

  /** One of them. */
  public interface Entry {
    /**
     * Hands what was written, and the wish for more bytes, to the transport. It may add others.
     *
     * @return how many bytes it has encrypted for that
     */
    int flush();
  }

  private final Dispatcher dispatcher;
  private final ArrayDeque<Entry> written = new ArrayDeque<>();
  private final Runnable flush = this::flush;
  private boolean posted;

  public FlushQueue(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /** Adds a connection that is not in the queue. */
  public void add(Entry connection) {
    written.addLast(connection);
    if (!posted) {
      posted = true;
      dispatcher.post(flush);
    }
  }

  private void flush() {
    int encryptedBytes = 0;
    for (Entry next = written.pollFirst(); next != null; next = written.pollFirst()) {
      encryptedBytes += next.flush();
      if (encryptedBytes >= MOST_ENCRYPTED_BYTES && !written.isEmpty()) {
        dispatcher.post(flush);
        return;
      }
    }
    posted = false;
  }
}
