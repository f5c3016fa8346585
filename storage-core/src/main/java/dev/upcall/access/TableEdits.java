package dev.upcall.access;

import dev.upcall.base.Invariants;
import dev.upcall.fsm.Faults;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.View;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the entries of tables in one run of a change: what a view shows, covered by what was
 * done so far. {@link #emit} turns the cover into mutations. Keeps the numbers of entries.
 */
public final class TableEdits {
  private static final byte[] ABSENT = {};

  private final View view;
  private final Faults faults;

  /** Stored forms by keys of the tree, none of which is empty: that is {@link #ABSENT}. */
  private final TreeMap<byte[], byte[]> cover = new TreeMap<>(Arrays::compareUnsigned);

  /** Ways in which it is broken on purpose: the simulator must notice each. */
  public enum Fault {
    /** A table does not count what goes. */
    COUNT_DRIFTS,
    /** A removal of a range takes one entry more. */
    NEIGHBOUR_TAKEN,
    /** Entries are put whether their table is still there or not. */
    GONE_TABLE_TAKES_ENTRIES
  }

  /**
   * Nothing done so far.
   *
   * @param faults deliberate ones, given only by tests
   */
  public TableEdits(View view, Faults faults) {
    this.view = view;
    this.faults = faults;
  }

  /** A new table has no entries, and says so. */
  public void make(long table) {
    cover.put(TableEntries.countKey(table), TableEntries.storedCount(0));
  }

  /** The value under a key, or null. */
  public byte @Nullable [] value(long table, byte[] key) {
    byte[] stored = stored(TableEntries.key(table, key));
    return stored == null ? null : TableEntries.value(stored);
  }

  /** Whether a table says how many entries it has; one that does not is damaged. */
  public boolean isCounted(long table) {
    return stored(TableEntries.countKey(table)) != null;
  }

  /** Gives a key of a table that {@link #isCounted} a value. */
  public void put(long table, byte[] key, byte[] value) {
    set(table, TableEntries.key(table, key), TableEntries.stored(value));
  }

  /** Removes an entry of a table that {@link #isCounted}; harmless when it is absent. */
  public void remove(long table, byte[] key) {
    set(table, TableEntries.key(table, key), ABSENT);
  }

  /**
   * Removes the first entries of a range of a table that {@link #isCounted}.
   *
   * @param limit at most so many
   * @return how many there were in the range, but not more than one above the limit
   */
  public int remove(long table, TableView.Range range, int limit) {
    boolean takesOneMore = faults.has(Fault.NEIGHBOUR_TAKEN);
    byte[] end = takesOneMore ? TableEntries.endKey(table) : range.end(table);
    List<byte[]> keys = first(range.first(table), end, limit + 1);
    for (byte[] key : keys.size() > limit ? keys.subList(0, limit) : keys) {
      set(table, key, ABSENT);
    }
    return keys.size();
  }

  private void set(long table, byte[] whole, byte[] after) {
    boolean was = stored(whole) != null;
    boolean is = after.length > 0;
    if (was || is) {
      cover.put(whole, after);
    }
    if (was != is && (is || !faults.has(Fault.COUNT_DRIFTS))) {
      byte[] key = TableEntries.countKey(table);
      long before =
          TableEntries.count(Invariants.present(stored(key), "the number of a table's entries"));
      cover.put(key, TableEntries.storedCount(before + (is ? 1 : -1)));
    }
  }

  private byte @Nullable [] stored(byte[] whole) {
    byte[] covered = cover.get(whole);
    byte[] value = covered != null ? covered : view.get(StoreTree.ENTRIES, whole);
    return value == null || value.length == 0 ? null : value;
  }

  /** The first keys that are there, at most so many. */
  private List<byte[]> first(byte[] from, byte[] end, int most) {
    if (Arrays.compareUnsigned(from, end) >= 0) {
      return List.of();
    }
    TreeSet<byte[]> keys = new TreeSet<>(Arrays::compareUnsigned);
    for (Map.Entry<byte[], byte[]> own : cover.subMap(from, end).entrySet()) {
      if (own.getValue().length > 0) {
        keys.add(own.getKey());
      }
    }
    View.Scan scan = view.from(StoreTree.ENTRIES, from);
    int seen = 0;
    while (seen < most && scan.next()) {
      byte[] key = scan.key();
      if (Arrays.compareUnsigned(key, end) >= 0) {
        break;
      }
      if (!cover.containsKey(key)) {
        keys.add(key);
        seen++;
      }
    }
    return keys.stream().limit(most).toList();
  }

  /**
   * Says everything that was done to tables that are there.
   *
   * @param isThere whether a table is there behind the change; the store takes apart what is left
   *     of one that is not
   */
  public void emit(Mutations out, LongPredicate isThere) {
    boolean any = faults.has(Fault.GONE_TABLE_TAKES_ENTRIES);
    cover.forEach(
        (key, stored) -> {
          if (!any && !isThere.test(TableEntries.table(key))) {
            return;
          }
          if (stored.length == 0) {
            out.remove(StoreTree.ENTRIES, key);
          } else {
            out.put(StoreTree.ENTRIES, key, stored);
          }
        });
  }
}
