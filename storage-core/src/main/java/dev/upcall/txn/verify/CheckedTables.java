package dev.upcall.txn.verify;

import dev.upcall.txn.TableEntries;
import java.util.BitSet;
import java.util.TreeMap;

/**
 * The tables that a verification has seen: each has its number of entries in front of them and as
 * many as that says, and each entry is of a table, or of one that was deleted and is being taken
 * apart. Takes about 50 bytes for each table.
 */
final class CheckedTables {
  private final BlockLedger ledger;

  /** By their ids: their places among the tables, or {@link #ORPHAN}. */
  private final TreeMap<Long, Integer> tables = new TreeMap<>();

  private static final int ORPHAN = -1;
  private final BitSet seen = new BitSet();
  private int count;
  private long current;
  private long said;
  private long found;

  CheckedTables(BlockLedger ledger) {
    this.ledger = ledger;
  }

  /** A table; all come before the first entry. */
  void table(long id) {
    tables.put(id, count++);
  }

  /** A deleted table; all come before the first entry. */
  void orphan(long id) {
    if (tables.put(id, ORPHAN) != null) {
      ledger.problem(0, "table " + id + " is there and deleted");
    }
  }

  /** How many there are that were not deleted. */
  int count() {
    return count;
  }

  /** The next entry, in their order. */
  void entry(byte[] key, byte[] value) {
    long table = TableEntries.table(key);
    if (table != current) {
      compare();
      begin(table, TableEntries.isCount(key));
    }
    if (TableEntries.isCount(key)) {
      said = TableEntries.count(value);
    } else {
      TableEntries.value(value);
      found++;
    }
  }

  private void begin(long table, boolean withCount) {
    current = table;
    said = 0;
    found = 0;
    Integer place = tables.get(table);
    if (place == null) {
      ledger.problem(0, "entries of table " + table + ", which does not exist");
    } else if (place != ORPHAN && withCount) {
      seen.set(place);
    }
  }

  private void compare() {
    Integer place = tables.get(current);
    if (place != null && place != ORPHAN && seen.get(place) && said != found) {
      ledger.problem(0, "table %d has %d entries and says %d".formatted(current, found, said));
    }
  }

  /** At the end. */
  void findMissing() {
    compare();
    tables.forEach(
        (id, place) -> {
          if (place != ORPHAN && !seen.get(place)) {
            ledger.problem(0, "table " + id + " does not say how many entries it has");
          }
        });
  }
}
