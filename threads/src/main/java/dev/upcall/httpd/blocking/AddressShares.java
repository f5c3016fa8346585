package dev.upcall.httpd.blocking;

import dev.upcall.base.Clock;
import dev.upcall.httpd.HttpConfig;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * What the clients of one address have of a server: connections, and uploads under way, of which
 * further ones wait in the order of coming. Any thread.
 */
final class AddressShares {
  private final HttpConfig config;
  private final Clock clock;
  private final Map<String, Share> shares = new ConcurrentHashMap<>();

  AddressShares(HttpConfig config, Clock clock) {
    this.config = config;
    this.clock = clock;
  }

  /**
   * The share of an address.
   *
   * @param connections changed only inside the map
   */
  private record Share(int connections, Semaphore uploads) {
    private Share with(int more) {
      return new Share(connections + more, uploads);
    }
  }

  /** Counts a connection; false if it is one too many, which is counted all the same. */
  boolean enter(String address) {
    Share share =
        shares.compute(
            address,
            (key, before) ->
                before == null ? new Share(1, new Semaphore(places(), true)) : before.with(1));
    return share.connections() <= config.connections().maxOfAddress();
  }

  /** A connection has ended. */
  void leave(String address) {
    shares.computeIfPresent(
        address, (key, before) -> before.connections() == 1 ? null : before.with(-1));
  }

  /** Waits for a place among the uploads of an address that has a connection; false if in vain. */
  boolean beginUpload(String address) {
    boolean interrupted = false;
    long deadlineNanos = clock.monotonicNanos() + config.admission().waitNanos();
    try {
      while (true) {
        try {
          long leftNanos = deadlineNanos - clock.monotonicNanos();
          return uploads(address).tryAcquire(leftNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException goesOn) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Gives the place back. */
  void endUpload(String address) {
    uploads(address).release();
  }

  private Semaphore uploads(String address) {
    Share share = shares.get(address);
    if (share == null) {
      throw new IllegalStateException("no connection of " + address);
    }
    return share.uploads();
  }

  private int places() {
    int max = config.admission().maxUploadsOfAddress();
    return max == 0 ? Integer.MAX_VALUE : max;
  }

  /** Whether nobody is here. */
  boolean isEmpty() {
    return shares.isEmpty();
  }
}
