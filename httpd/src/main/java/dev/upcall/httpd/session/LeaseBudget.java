package dev.upcall.httpd.session;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import java.util.ArrayDeque;

/**
 * Bytes of responses that all sessions of a server hold together: leased from the store and not yet
 * taken by their clients. Who wants to lease while there is no room waits in the order of coming,
 * so that many clients that read slowly cannot take all frames of the store. Dispatcher's thread
 * only.
 */
final class LeaseBudget {
  /** Waiters that are let in by one upcall at most. */
  private static final int WAITERS_PER_UPCALL = 64;

  private final Dispatcher dispatcher;
  private final long limitBytes;
  private final ArrayDeque<Runnable> waiters = new ArrayDeque<>();
  private final Runnable letIn = this::letIn;
  private boolean letInPosted;
  private long takenBytes;

  LeaseBudget(Dispatcher dispatcher, long limitBytes) {
    this.dispatcher = dispatcher;
    this.limitBytes = limitBytes;
  }

  /** Whether more may be leased; the last lease may go over the limit. */
  boolean hasRoom() {
    return takenBytes < limitBytes;
  }

  /** Whether so much is taken that each session should hold less. */
  boolean isHalfTaken() {
    return takenBytes >= limitBytes / 2;
  }

  /** Whether somebody waits for room. */
  boolean isWanted() {
    return !waiters.isEmpty();
  }

  /** Bytes that may be taken still; negative when the last lease went over the limit. */
  long leftBytes() {
    return limitBytes - takenBytes;
  }

  /** Bytes that are taken now. */
  long takenBytes() {
    return takenBytes;
  }

  /** Counts bytes in. */
  void take(long bytes) {
    takenBytes += bytes;
  }

  /** Counts bytes out, and lets waiters in if that makes room. */
  void give(long bytes) {
    takenBytes -= bytes;
    Invariants.check(takenBytes >= 0, "more was given back than was taken", takenBytes);
    postLetIn();
  }

  /** Has an upcall run when there is room; the waiter looks again then. */
  void await(Runnable upcall) {
    waiters.addLast(upcall);
  }

  private void postLetIn() {
    if (!letInPosted && !waiters.isEmpty() && hasRoom()) {
      letInPosted = true;
      dispatcher.post(letIn);
    }
  }

  private void letIn() {
    letInPosted = false;
    for (int i = 0; i < WAITERS_PER_UPCALL && hasRoom(); i++) {
      Runnable first = waiters.pollFirst();
      if (first == null) {
        return;
      }
      first.run();
    }
    postLetIn();
  }
}
