package dev.upcall.txn.state;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * At which SCN something was changed last at each of a number of places. One thread changes things;
 * any thread that looks at a published state may ask, and hears of every change in that state,
 * since the change was told before the state was published.
 */
final class ChangeStamps {
  private final AtomicLongArray lastScn;

  /** Nothing has changed yet, at so many places: a power of two. */
  ChangeStamps(int places) {
    lastScn = new AtomicLongArray(places);
  }

  /** Something is changing at a place; before the change is published. The owner's thread. */
  void changed(long place, long scn) {
    lastScn.setRelease(index(place), scn);
  }

  /** Nothing is ever again the same since any SCN. The owner's thread. */
  void end() {
    for (int i = 0; i < lastScn.length(); i++) {
      lastScn.setRelease(i, Long.MAX_VALUE);
    }
  }

  /**
   * Whether nothing was changed at a place behind an SCN. What shares a place is sometimes taken
   * for changed though it was not. Any thread.
   */
  boolean isSameSince(long place, long scn) {
    return lastScn.getAcquire(index(place)) <= scn;
  }

  private int index(long place) {
    return (int) place & (lastScn.length() - 1);
  }
}
