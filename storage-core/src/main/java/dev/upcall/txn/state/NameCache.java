package dev.upcall.txn.state;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the tree of names asked for lately: a name that is looked up again and again costs
 * no descent of the tree. Holds what the tree says now; who changes that tells it. What is not
 * there is not remembered. Each key has one place, where it drives out another.
 *
 * <p>As {@link InodeCache} it may be read by several threads at once while nobody changes the
 * state: an entry is immutable.
 */
final class NameCache {
  private static final int MIX = 0x9E3779B9;

  private record Entry(byte[] key, byte[] value) {}

  private final @Nullable Entry[] places;
  private final int shift;

  /** An empty cache for so many names, or fewer. */
  NameCache(int limit) {
    int size = Integer.highestOneBit(Math.max(2, limit));
    this.places = new Entry[size];
    this.shift = Integer.numberOfLeadingZeros(size) + 1;
  }

  /** The value of a key, not to be changed; null when it is not known here. */
  byte @Nullable [] get(byte[] key) {
    Entry found = places[place(key)];
    return found != null && Arrays.equals(found.key, key) ? found.value : null;
  }

  /** Remembers what the tree says; the key is copied, the value is not. */
  void keep(byte[] key, byte[] value) {
    places[place(key)] = new Entry(key.clone(), value);
  }

  /** The entry of a key was changed or removed. */
  void forget(byte[] key) {
    if (get(key) != null) {
      places[place(key)] = null;
    }
  }

  private int place(byte[] key) {
    return (Arrays.hashCode(key) * MIX) >>> shift;
  }
}
