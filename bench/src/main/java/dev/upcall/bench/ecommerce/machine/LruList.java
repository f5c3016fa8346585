package dev.upcall.bench.ecommerce.machine;

import java.util.Arrays;

/** Numbers below a bound in an order that changes, each once at most. */
public final class LruList {
  private static final int NOT_HERE = -2;
  private static final int NONE = -1;

  private final int[] before;
  private final int[] after;
  private int first = NONE;
  private int last = NONE;

  /** An empty list of numbers below a bound. */
  public LruList(int bound) {
    before = new int[bound];
    after = new int[bound];
    Arrays.fill(before, NOT_HERE);
  }

  /** Whether a number is in it. */
  public boolean holds(int at) {
    return before[at] != NOT_HERE;
  }

  /** Puts a number, which is not in it, in front. */
  public void addFirst(int at) {
    before[at] = NONE;
    after[at] = first;
    if (first == NONE) {
      last = at;
    } else {
      before[first] = at;
    }
    first = at;
  }

  /** Puts a number, which is not in it, at the end. */
  public void addLast(int at) {
    after[at] = NONE;
    before[at] = last;
    if (last == NONE) {
      first = at;
    } else {
      after[last] = at;
    }
    last = at;
  }

  /** Takes a number, which is in it, out. */
  public void remove(int at) {
    if (before[at] == NONE) {
      first = after[at];
    } else {
      after[before[at]] = after[at];
    }
    if (after[at] == NONE) {
      last = before[at];
    } else {
      before[after[at]] = before[at];
    }
    before[at] = NOT_HERE;
  }

  /** The last one; -1 when there is none. */
  public int last() {
    return last;
  }

  /** The one before; -1 when there is none. */
  public int before(int at) {
    return before[at];
  }
}
