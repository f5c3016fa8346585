package dev.upcall.txn.state;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The entries of the tree of names asked for lately: a name that is looked up again and again costs
 * no descent of the tree. Who changes the tree tells it. What is not there is not remembered.
 */
final class NameCache {
  private final FoundPlaces<Entry> places;

  private record Entry(byte[] key, byte[] value, long scn) implements FoundPlaces.Find {}

  /**
   * An empty cache for so many names, or fewer.
   *
   * @param changes of names
   */
  NameCache(int limit, ChangeStamps changes) {
    places = new FoundPlaces<>(limit, changes);
  }

  /**
   * The value of a key at an SCN, not to be changed; null when it is not known here. Any thread.
   */
  byte @Nullable [] get(byte[] key, long scn) {
    int first = first(key);
    for (int place = first; place < first + 2; place++) {
      Entry found = places.at(place, scn);
      if (found != null && Arrays.equals(found.key, key)) {
        return found.value;
      }
    }
    return null;
  }

  /** Remembers what the tree says at an SCN; the key is copied, the value is not. Any thread. */
  void keep(byte[] key, byte[] value, long scn) {
    places.keep(first(key), new Entry(key.clone(), value, scn));
  }

  /** The entry of a key is changed or removed at an SCN; before that. The owner's thread. */
  void changing(byte[] key, long scn) {
    places.changing(first(key), scn);
  }

  private int first(byte[] key) {
    return places.first(Arrays.hashCode(key));
  }
}
