package dev.upcall.buffer.replacement;

import java.util.Arrays;

/**
 * A map from block addresses to small numbers: open addressing with linear probing, at most half
 * full, deletion by moving entries back, so that there are no tombstones and lookups stay short for
 * ever. No allocation but when it grows. Its behaviour depends on its content only.
 */
public final class LongIntMap {
  /** What {@link #get} returns for a key that is not there. */
  public static final int ABSENT = -1;

  private static final long EMPTY = -1;
  private static final int LEAST_SLOTS = 16;

  private long[] keys;
  private int[] values;
  private int shift;
  private int size;

  /** A map that holds {@code expected} entries before it has to grow. */
  public LongIntMap(int expected) {
    int slots = Math.max(LEAST_SLOTS, Integer.highestOneBit(Math.max(1, expected) * 2 - 1) * 2);
    keys = new long[slots];
    values = new int[slots];
    Arrays.fill(keys, EMPTY);
    shift = Long.numberOfLeadingZeros(slots) + 1;
  }

  public int size() {
    return size;
  }

  public int get(long key) {
    for (int slot = home(key); ; slot = following(slot)) {
      long present = keys[slot];
      if (present == key) {
        return values[slot];
      }
      if (present == EMPTY) {
        return ABSENT;
      }
    }
  }

  /** Sets the value of a key (at least 0) and returns the one it had, or {@link #ABSENT}. */
  public int put(long key, int value) {
    int slot = home(key);
    while (keys[slot] != EMPTY) {
      if (keys[slot] == key) {
        int old = values[slot];
        values[slot] = value;
        return old;
      }
      slot = following(slot);
    }
    keys[slot] = key;
    values[slot] = value;
    size++;
    if (size * 2 > keys.length) {
      grow();
    }
    return ABSENT;
  }

  /** Removes a key and returns the value it had, or {@link #ABSENT}. */
  public int remove(long key) {
    int slot = home(key);
    while (keys[slot] != key) {
      if (keys[slot] == EMPTY) {
        return ABSENT;
      }
      slot = following(slot);
    }
    int old = values[slot];
    closeGap(slot);
    size--;
    return old;
  }

  private void closeGap(int gap) {
    int hole = gap;
    for (int slot = following(gap); keys[slot] != EMPTY; slot = following(slot)) {
      // An entry may move back into the hole unless its home lies behind the hole.
      int fromHome = (slot - home(keys[slot])) & (keys.length - 1);
      int fromHole = (slot - hole) & (keys.length - 1);
      if (fromHome >= fromHole) {
        keys[hole] = keys[slot];
        values[hole] = values[slot];
        hole = slot;
      }
    }
    keys[hole] = EMPTY;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new int[keys.length];
    Arrays.fill(keys, EMPTY);
    shift--;
    size = 0;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != EMPTY) {
        put(oldKeys[i], oldValues[i]);
      }
    }
  }

  private int home(long key) {
    // Fibonacci hashing: neighbouring addresses land far apart.
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> shift);
  }

  private int following(int slot) {
    return (slot + 1) & (keys.length - 1);
  }
}
