package dev.upcall.httpd.blocking;

import java.util.concurrent.Semaphore;

/**
 * Bytes that all connections together hold leased from the store while their clients take them. Who
 * wants to lease when there is no room waits in the order of coming.
 */
final class SendBudget {
  private final int limitBytes;
  private final Semaphore room;

  SendBudget(long limitBytes) {
    this.limitBytes = (int) Math.min(limitBytes, Integer.MAX_VALUE);
    this.room = new Semaphore(this.limitBytes, /* fair= */ true);
  }

  /** Waits for room; one piece may be as large as everything. */
  void take(int bytes) {
    room.acquireUninterruptibly(Math.min(bytes, limitBytes));
  }

  /** Gives back what was taken. */
  void give(int bytes) {
    room.release(Math.min(bytes, limitBytes));
  }

  /** Whether somebody waits for room. */
  boolean isWanted() {
    return room.hasQueuedThreads();
  }

  /** Whether nobody holds anything. */
  boolean isUnused() {
    return room.availablePermits() == limitBytes;
  }
}
