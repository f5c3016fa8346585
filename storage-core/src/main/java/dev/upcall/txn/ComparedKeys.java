package dev.upcall.txn;

import dev.upcall.txn.lock.LockKey;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Keys that a transaction has locked and found to be what they are in its snapshot. */
final class ComparedKeys {
  /**
   * What a key is in the snapshot.
   *
   * @param value null where there is nothing
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Seen(byte @Nullable [] value) {}

  private final Map<LockKey, Seen> seen = new TreeMap<>();

  boolean has(LockKey key) {
    return seen.containsKey(key);
  }

  void add(LockKey key, byte @Nullable [] value) {
    seen.put(key, new Seen(value));
  }

  void addAll(ComparedKeys others) {
    seen.putAll(others.seen);
  }

  /** The first key that is not what it was, or null. */
  @Nullable LockKey firstChanged(View live) {
    for (Map.Entry<LockKey, Seen> each : seen.entrySet()) {
      LockKey key = each.getKey();
      if (!LockKeys.isSame(key, each.getValue().value(), LockKeys.value(key, live))) {
        return key;
      }
    }
    return null;
  }
}
