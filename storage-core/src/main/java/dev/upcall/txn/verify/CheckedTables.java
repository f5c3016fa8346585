package dev.upcall.txn.verify;

import dev.upcall.store.TableUse;
import dev.upcall.tree.PageLook;
import dev.upcall.txn.TableEntries;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tables that a verification has seen: each has its number of entries in front of them and as
 * many as that says, each entry is of a table, or of one that was deleted and is being taken apart,
 * and exactly one entry leads to each content of a value. Takes about 50 bytes for each table and
 * each content.
 */
final class CheckedTables {
  private final BlockLedger ledger;

  /** By their ids: their places among the tables, or {@link #ORPHAN}. */
  private final TreeMap<Long, Integer> tables = new TreeMap<>();

  /** Contents of values to which no entry has led so far, by their segments. */
  private final TreeMap<Long, Content> contents = new TreeMap<>();

  /** Tables of which entries were lost: from one to another one. */
  private final TreeMap<Long, Long> lost = new TreeMap<>();

  private record Content(long table, long sizeBytes) {}

  private static final int ORPHAN = -1;
  private static final int MOST_NAMED = 8;
  private final BitSet seen = new BitSet();
  private int count;
  private long entries;
  private long valueBytes;
  private long pages;
  private boolean hasContents;
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

  /** The content of a value of a table; all come before the first entry. */
  void content(long segment, long table, long sizeBytes) {
    contents.put(segment, new Content(table, sizeBytes));
    hasContents = true;
  }

  /** Whether there are values that are content. */
  boolean hasContents() {
    return hasContents;
  }

  /** How many there are that were not deleted. */
  int count() {
    return count;
  }

  /** A page is lost; what that means, in words. Nothing between its keys is missed any more. */
  String lost(byte[] low, byte @Nullable [] high) {
    long first = PageLook.firstNumber(low);
    // Keys of pages that contradict each other may descend.
    long last = Math.max(first, high == null ? Long.MAX_VALUE : PageLook.firstNumber(high));
    lost.merge(first, last, Math::max);
    tables.subMap(first, true, last, true).keySet().stream()
        .limit(MOST_NAMED)
        .forEach(id -> ledger.problemIn(id, "entries of table " + id + " are lost with a page"));
    return TableEntries.between(low, high) + " are lost";
  }

  private boolean mayLack(long table) {
    Map.Entry<Long, Long> range = lost.floorEntry(table);
    return range != null && table <= range.getValue();
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
      found++;
      long sizeBytes =
          switch (TableEntries.value(value)) {
            case TableEntries.Value.Inline(byte[] bytes) -> bytes.length;
            case TableEntries.Value.Content content -> {
              value(key, content);
              yield content.sizeBytes();
            }
          };
      if (isThere(table)) {
        entries++;
        valueBytes += sizeBytes;
      }
    }
  }

  private boolean isThere(long table) {
    Integer place = tables.get(table);
    return place != null && place != ORPHAN;
  }

  /** A page of their tree. */
  void page() {
    pages++;
  }

  /** The tables that were seen. */
  TableUse use() {
    return new TableUse(count, entries, valueBytes, pages);
  }

  private void value(byte[] key, TableEntries.Value.Content value) {
    hasContents = true;
    Content said = new Content(TableEntries.table(key), value.sizeBytes());
    if (!said.equals(contents.remove(value.segment()))) {
      ledger.problem(
          0,
          "%s leads to segment %d, which is not a value of it of %d bytes"
              .formatted(name(key), value.segment(), value.sizeBytes()));
    } else if (ledger.isDamagedSegment(value.segment())) {
      ledger.problemIn(
          said.table(), "%s is damaged: it is segment %d".formatted(name(key), value.segment()));
    }
  }

  private static String name(byte[] key) {
    return "the value under key 0x%s of table %d"
        .formatted(HexFormat.of().formatHex(TableEntries.keyIn(key)), TableEntries.table(key));
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
    if (place != null && place != ORPHAN && seen.get(place) && said != found && !mayLack(current)) {
      ledger.problem(0, "table %d has %d entries and says %d".formatted(current, found, said));
    }
  }

  /** At the end. */
  void findMissing() {
    compare();
    contents.forEach(
        (segment, content) -> {
          if (!mayLack(content.table())) {
            ledger.problem(
                0,
                "segment %d is a value of table %d, and no entry leads to it"
                    .formatted(segment, content.table()));
          }
        });
    tables.forEach(
        (id, place) -> {
          if (place != ORPHAN && !seen.get(place) && !mayLack(id)) {
            ledger.problem(0, "table " + id + " does not say how many entries it has");
          }
        });
  }
}
