package dev.upcall.cli.failover;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Who serves a store in this process, and who waits in others to serve it next: what a handover
 * brings together. Any thread.
 */
public final class Succession implements AutoCloseable {
  private final List<Successor> waiting = new ArrayList<>();
  private @Nullable Departure serving;
  private boolean closed;

  /** This process serves it, and can leave that to another one. */
  public synchronized void serves(Departure departure) {
    serving = departure;
  }

  /** Who serves it; null when nobody does who could leave that to another one. */
  synchronized @Nullable Departure serving() {
    return serving;
  }

  /**
   * Who is next in line, waited for for some time, because a standby looks each second whether it
   * is; null when nobody comes.
   */
  synchronized @Nullable Successor next(long patienceMillis) throws InterruptedException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    while (waiting.isEmpty()) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
      if (leftMillis <= 0) {
        return null;
      }
      wait(leftMillis);
    }
    return waiting.getLast(); // one before it is about to be known as gone
  }

  /** Somebody waits; told the end when this is closed. */
  void announce(Successor successor) {
    synchronized (this) {
      if (!closed) {
        waiting.add(successor);
        notifyAll();
        return;
      }
    }
    successor.end();
  }

  /** Somebody waits no more. */
  synchronized void withdraw(Successor successor) {
    waiting.remove(successor);
  }

  /** The store is about to close: nobody has to wait here any more. */
  @Override
  public void close() {
    List<Successor> all;
    synchronized (this) {
      closed = true;
      all = List.copyOf(waiting);
    }
    all.forEach(Successor::end);
  }
}
