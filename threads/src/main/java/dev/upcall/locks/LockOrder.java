package dev.upcall.locks;

import dev.upcall.base.Invariants;

/**
 * The check that locks are taken in the order of {@link LockRank}. Part of assertions only: it
 * costs nothing where they are off. All methods return true, for {@code assert}.
 */
public final class LockOrder {
  /** Which ranks the thread holds, a bit for each. */
  private static final ThreadLocal<int[]> HELD = ThreadLocal.withInitial(() -> new int[1]);

  private LockOrder() {}

  /** The thread is about to take a lock: it holds none of this rank or behind. */
  static boolean taking(LockRank rank) {
    int behind = HELD.get()[0] >>> rank.ordinal();
    Invariants.check(behind == 0, "lock taken out of order, held are (bits)", HELD.get()[0]);
    HELD.get()[0] |= 1 << rank.ordinal();
    return true;
  }

  /** The thread gives a lock back. */
  static boolean gaveBack(LockRank rank) {
    int bit = 1 << rank.ordinal();
    Invariants.check((HELD.get()[0] & bit) != 0, "lock given back that was not held");
    HELD.get()[0] &= ~bit;
    return true;
  }

  /** The thread holds no lock: it may wait for a disk. */
  public static boolean holdsNone() {
    Invariants.check(HELD.get()[0] == 0, "waiting for a disk with locks (bits)", HELD.get()[0]);
    return true;
  }
}
