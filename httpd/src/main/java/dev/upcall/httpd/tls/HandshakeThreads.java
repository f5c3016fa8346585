package dev.upcall.httpd.tls;

import dev.upcall.fsm.HelperThreads;

/**
 * The two threads on which all servers of one set of certificates compute handshakes, and the line
 * in front of them. Any thread.
 */
public final class HandshakeThreads implements AutoCloseable {
  private static final int THREADS = 2;

  /** The most steps that wait for them: about half a second of the JDK's work. */
  private static final int MOST_WAITING = 256;

  private final HelperThreads threads = new HelperThreads("upcall-tls", THREADS);

  /**
   * Computes a step when a thread is free, in the order of coming.
   *
   * @return whether it will be; not if the line is full, or no thread can be had
   */
  boolean compute(Runnable step) {
    return threads.waiting() < MOST_WAITING && threads.execute(step);
  }

  /** Returns when nothing is computed any more. */
  @Override
  public void close() {
    threads.awaitEnd();
  }
}
