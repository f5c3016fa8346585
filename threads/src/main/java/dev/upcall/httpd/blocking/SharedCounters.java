package dev.upcall.httpd.blocking;

import dev.upcall.httpd.HttpCounters;
import dev.upcall.httpd.HttpMetrics;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** Counts of all threads, in stripes with a lock each, which hardly two threads want at once. */
final class SharedCounters {
  private static final int STRIPES = 16;

  /** A part of the counts. */
  static final class Stripe {
    private final ReentrantLock lock = new ReentrantLock();
    private final HttpCounters counters = new HttpCounters();

    /** Counts something. */
    void count(Consumer<HttpCounters> what) {
      lock.lock();
      try {
        what.accept(counters);
      } finally {
        lock.unlock();
      }
    }

    private HttpMetrics snapshot() {
      lock.lock();
      try {
        return counters.snapshot();
      } finally {
        lock.unlock();
      }
    }
  }

  private final Stripe[] stripes = new Stripe[STRIPES];

  SharedCounters() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /** Where a connection counts. */
  Stripe of(long connection) {
    return stripes[(int) (connection % STRIPES)];
  }

  /** Everything that was counted. */
  HttpMetrics sum() {
    HttpMetrics sum = stripes[0].snapshot();
    for (int i = 1; i < STRIPES; i++) {
      sum = sum.plus(stripes[i].snapshot());
    }
    return sum;
  }
}
