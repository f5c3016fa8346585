package dev.upcall.fsm.wakeup;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether it has paid lately to look for a while before going to sleep: a moving share of the waits
 * that ended within that while, whether or not somebody looked. It begins with the benefit of the
 * doubt. Any thread; a record that is lost to a race is one of many.
 */
public final class SpinHistory {
  private static final int ALL = 1 << 10;

  /** The last eight waits or so count. */
  private static final int SHIFT = 3;

  private final AtomicInteger share = new AtomicInteger(ALL);

  /** Whether at least half of the last waits were short. */
  public boolean pays() {
    return share.getOpaque() >= ALL / 2;
  }

  /** A wait has ended. */
  public void record(boolean wasShort) {
    int before = share.getOpaque();
    int after = before + (((wasShort ? ALL : 0) - before) >> SHIFT);
    if (after != before) {
      share.setOpaque(after);
    }
  }
}
