package dev.upcall.txn.change;

import dev.upcall.fsm.Faults;
import dev.upcall.txn.View;
import dev.upcall.txn.lock.LockKey;
import dev.upcall.txn.state.Op;
import java.util.ArrayDeque;
import java.util.List;

/**
 * At which SCN each key was last changed since the oldest open transaction began: the one way in
 * which a transaction finds out that somebody else has changed what it wants to change.
 *
 * <p>Bounded: {@value #LIMIT} keys, 32 bytes each. Beyond, the oldest are forgotten, and a
 * transaction that began before they were changed is told of a change wherever that can no longer
 * be excluded. Keys are known by a hash of 64 bits: two with the same one are taken for one, so
 * that a change that nobody made may be found, but none is missed.
 */
public final class NewestChanges {
  /** No transaction is open. */
  public static final long NOBODY = Long.MAX_VALUE;

  private static final int TABLES = 64;

  /** So many are remembered. */
  static final int LIMIT = TABLES * Table.KEYS;

  /** The newest first; none is ever made larger, which would take long. */
  private final ArrayDeque<Table> tables = new ArrayDeque<>();

  private long since = NOBODY;
  private long forgottenScn;

  /** Some keys and the SCNs of their changes, which lie between those of its neighbours. */
  private static final class Table {
    static final int KEYS = 1 << 13;
    private static final int SLOTS = 2 * KEYS;

    private final long[] hashes = new long[SLOTS];

    /** Zero where a slot is free. */
    private final long[] scns = new long[SLOTS];

    private int used;
    private long newestScn;

    void put(long hash, long scn) {
      int slot = slot(hash);
      used += scns[slot] == 0 ? 1 : 0;
      hashes[slot] = hash;
      scns[slot] = scn;
      newestScn = scn;
    }

    /** Zero when it is not here. */
    long scn(long hash) {
      return scns[slot(hash)];
    }

    boolean isFull() {
      return used == KEYS;
    }

    private int slot(long hash) {
      int slot = (int) hash & SLOTS - 1;
      while (scns[slot] != 0 && hashes[slot] != hash) {
        slot = slot + 1 & SLOTS - 1;
      }
      return slot;
    }
  }

  /**
   * What was changed up to an SCN need not be known any more: that of the oldest snapshot that an
   * open transaction has, or {@link #NOBODY}.
   */
  public void keepSince(long scn) {
    since = scn;
    // What is left in the newest is older than any transaction to come.
    while (tables.size() > 1 && tables.getLast().newestScn <= scn) {
      tables.removeLast();
    }
  }

  /**
   * Which keys a change is to be {@link #note noted} for; none while no transaction is open. May
   * throw {@code PageMissing}.
   *
   * @param before what it was planned on
   */
  List<LockKey> changed(List<Op> ops, View before, Faults faults) {
    return since == NOBODY ? List.of() : LockKeys.changed(ops, before, faults);
  }

  /** A change of some keys is applied, at a new SCN. */
  void note(List<LockKey> changed, long scn) {
    for (LockKey key : changed) {
      if (tables.isEmpty() || tables.getFirst().isFull()) {
        tables.addFirst(new Table());
      }
      tables.getFirst().put(hash(key), scn);
    }
    while (tables.size() > TABLES) {
      forgottenScn = tables.removeLast().newestScn;
    }
  }

  /** Whether a key may have been changed after an SCN that an open transaction sees. */
  public boolean isSince(LockKey key, long scn) {
    long hash = hash(key);
    for (Table table : tables) {
      if (table.newestScn <= scn) {
        break;
      }
      long last = table.scn(hash);
      if (last != 0) {
        return last > scn;
      }
    }
    return forgottenScn > scn;
  }

  /** How many keys take memory; a key that was changed again after a long time may count twice. */
  public int remembered() {
    return tables.stream().mapToInt(table -> table.used).sum();
  }

  /** FNV-1a, its bits mixed. */
  private static long hash(LockKey key) {
    long hash = 0xCBF2_9CE4_8422_2325L ^ key.kind().ordinal();
    for (byte each : key.bytes()) {
      hash = (hash ^ each & 0xFF) * 0x100_0000_01B3L;
    }
    hash = (hash ^ hash >>> 32) * 0x9E37_79B9_7F4A_7C15L;
    return hash ^ hash >>> 29;
  }
}
