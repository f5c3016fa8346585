package dev.upcall.httpd.tls;

import dev.upcall.httpd.HttpCount;
import dev.upcall.httpd.HttpMetrics;

/** The running counts of handshakes. Dispatcher's thread. */
final class Handshakes {
  private int waiting;
  private long completed;
  private long failed;
  private long refused;

  /** Connections that were refused and have not ended yet: at their end they do not fail, too. */
  private int refusedWaiting;

  void begun() {
    waiting++;
  }

  void completed() {
    waiting--;
    completed++;
  }

  /** There was no room for a step of one. */
  void refused() {
    refused++;
    refusedWaiting++;
  }

  /** A connection has ended whose handshake was not completed. */
  void ended() {
    waiting--;
    if (refusedWaiting > 0) {
      refusedWaiting--;
    } else {
      failed++;
    }
  }

  HttpMetrics in(HttpMetrics metrics) {
    return metrics
        .with(HttpCount.HANDSHAKES, completed)
        .with(HttpCount.FAILED_HANDSHAKES, failed)
        .with(HttpCount.REFUSED_HANDSHAKES, refused)
        .with(HttpCount.WAITING_HANDSHAKES, waiting - refusedWaiting);
  }
}
