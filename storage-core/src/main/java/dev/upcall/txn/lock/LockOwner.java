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
  private final boolean standsAlone;
  private final Map<LockKey, LockRequest> held = new LinkedHashMap<>();
  private @Nullable LockRequest waiting;

  /** An owner that holds nothing; the name stands in messages. */
  public LockOwner(String name) {
    this(name, /* standsAlone= */ false);
  }

  private LockOwner(String name, boolean standsAlone) {
    this.name = name;
    this.standsAlone = standsAlone;
  }

  /**
   * An owner that holds a key for its turn only: it will change what it wants in one upcall, and
   * needs the key to itself no longer than that.
   */
  public static LockOwner standingAlone(String name) {
    return new LockOwner(name, /* standsAlone= */ true);
  }

  boolean standsAlone() {
    return standsAlone;
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
    held.put(request.key, request);
  }

  void lost(LockRequest request) {
    held.remove(request.key);
  }

  /** All that it holds, in the order in which it got it. */
  List<LockRequest> all() {
    return List.copyOf(held.values());
  }
}
