package dev.upcall.txn;

import dev.upcall.segment.Inode;
import dev.upcall.segment.Kind;
import dev.upcall.txn.lock.LockKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * When what was there was last replaced or removed, since the oldest open transaction began. What
 * is there carries no version but in the inodes of files: that it is the same as then does not say
 * that nobody has changed it meanwhile and changed it back.
 *
 * <p>Bounded: beyond, the oldest is forgotten, and a transaction that began before it is told of a
 * change wherever that can no longer be excluded.
 */
final class ChangedBack {
  /** So many are remembered. */
  static final int LIMIT = 1 << 16;

  /** Ascending by SCN. */
  private final Map<LockKey, Long> scns = new LinkedHashMap<>();

  private long forgottenScn;
  private boolean watched;

  /** A transaction begins. */
  void watch() {
    watched = true;
  }

  /**
   * Which keys a change replaces or removes; none while no transaction is open. May throw {@code
   * PageMissing}.
   *
   * @param before what it was planned on
   */
  List<LockKey> replaced(List<Op> ops, View before) {
    if (!watched) {
      return List.of();
    }
    SortedSet<LockKey> keys = LockKeys.of(ops, before);
    List<LockKey> replaced = new ArrayList<>();
    for (Op op : ops) {
      LockKey key = LockKeys.of(op);
      if (key != null && keys.contains(key) && isReplaced(op, key, before)) {
        replaced.add(key);
      }
    }
    return replaced;
  }

  private static boolean isReplaced(Op op, LockKey key, View before) {
    return op instanceof Op.Remove
        || op instanceof Op.Put && isThere(key, before) && !isFile(key, before);
  }

  /** A change replaced or removed keys, at an SCN. */
  void note(List<LockKey> replaced, long scn) {
    for (LockKey key : replaced) {
      scns.remove(key);
      scns.put(key, scn);
    }
    while (scns.size() > LIMIT) {
      var eldest = scns.entrySet().iterator();
      forgottenScn = eldest.next().getValue();
      eldest.remove();
    }
  }

  private static boolean isThere(LockKey key, View before) {
    return LockKeys.value(key, before) != null;
  }

  /** A file has a version as long as it is there. */
  private static boolean isFile(LockKey key, View before) {
    if (key.kind() != LockKey.Kind.SEGMENT) {
      return false;
    }
    Inode inode = before.inode(TreeKeys.id(key.bytes()));
    return inode == null || inode.kind() == Kind.FILE;
  }

  /** Whether it may have been replaced or removed by a change after an SCN. */
  boolean isSince(LockKey key, long scn) {
    Long last = scns.get(key);
    return last == null ? forgottenScn > scn : last > scn;
  }

  /** No transaction is open. */
  void clear() {
    watched = false;
    scns.clear();
    forgottenScn = 0;
  }
}
