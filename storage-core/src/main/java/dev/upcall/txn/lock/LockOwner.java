package dev.upcall.txn.lock;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whoever holds locks: a transaction, or a request that stands alone. It waits for one lock at a
 * time. Dispatcher's thread only.
 */
public final class LockOwner {
  private final String name;
  private final Map<LockKey, LockRequest> held = new LinkedHashMap<>();
  private @Nullable LockRequest waiting;

  /** An owner that holds nothing; the name stands in messages. */
  public LockOwner(String name) {
    this.name = name;
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /** Whether it holds a key. */
  public boolean holds(LockKey key) {
    return held.containsKey(key);
  }

  /** How many keys it holds. */
  public int heldCount() {
    return held.size();
  }

  /** What it waits for, or null. */
  @Nullable LockRequest waiting() {
    return waiting;
  }

  void waitsFor(@Nullable LockRequest request) {
    waiting = request;
  }

  void granted(LockRequest request) {
    waiting = null;
    held.put(request.key(), request);
  }

  void lost(LockRequest request) {
    held.remove(request.key());
  }

  /** All that it holds, in the order in which it got it. */
  List<LockRequest> all() {
    return List.copyOf(held.values());
  }
}
