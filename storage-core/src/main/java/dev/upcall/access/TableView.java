package dev.upcall.access;

import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table as a view shows it: keys with values, in the order of the keys' unsigned bytes. */
public final class TableView {
  private final View view;
  private final long table;

  /**
   * A table that is there.
   *
   * @param table its segment id
   */
  public TableView(View view, long table) {
    this.view = view;
    this.table = table;
  }

  /**
   * Keys of a table.
   *
   * @param from the first; none is below the empty one
   * @param below what is behind the last; null for no such bound
   */
  public record Range(byte[] from, byte @Nullable [] below) {
    /** All of them. */
    public static final Range ALL = new Range(new byte[0], null);

    /** Where it begins in the tree of all entries. */
    byte[] first(long table) {
      // The number of entries, which stands under the empty key, is none of them.
      return TableEntries.key(table, from.length == 0 ? new byte[1] : from);
    }

    /** The first key behind it in the tree of all entries. */
    byte[] end(long table) {
      return below == null ? TableEntries.endKey(table) : TableEntries.key(table, below);
    }
  }

  /** A key and its value; copies. */
  public record Entry(byte[] key, TableEntries.Value value) {}

  /**
   * Some entries.
   *
   * @param hasMore whether the range has more behind them
   */
  public record Page(List<Entry> entries, boolean hasMore) {}

  /** The value under a key, or null. */
  public TableEntries.@Nullable Value value(byte[] key) {
    byte[] stored = view.get(StoreTree.ENTRIES, TableEntries.key(table, key));
    return stored == null ? null : TableEntries.value(stored);
  }

  /** How many entries it has; negative where that is missing, which is damage. */
  public long count() {
    byte[] stored = view.get(StoreTree.ENTRIES, TableEntries.countKey(table));
    return stored == null ? -1 : TableEntries.count(stored);
  }

  /**
   * The first entries of a range, or the last.
   *
   * @param ascends whether they are the first, ascending; else the last, descending
   * @param limit at most so many
   * @param bytes and none behind the one with which keys and values have so many bytes, content
   *     included
   */
  public Page page(Range range, boolean ascends, int limit, int bytes) {
    byte[] first = range.first(table);
    byte[] end = range.end(table);
    List<Entry> entries = new ArrayList<>();
    if (Arrays.compareUnsigned(first, end) >= 0) {
      return new Page(entries, false);
    }
    View.Scan scan =
        ascends
            ? view.from(StoreTree.ENTRIES, first).to(end)
            : view.below(StoreTree.ENTRIES, end).to(first);
    long taken = 0;
    while (scan.next()) {
      byte[] key = scan.key();
      boolean inside =
          ascends ? Arrays.compareUnsigned(key, end) < 0 : Arrays.compareUnsigned(key, first) >= 0;
      if (!inside) {
        break;
      }
      if (entries.size() == limit || taken >= bytes) {
        return new Page(entries, true);
      }
      Entry entry = new Entry(TableEntries.keyIn(key), TableEntries.value(scan.value()));
      entries.add(entry);
      taken += entry.key().length + entry.value().sizeBytes();
    }
    return new Page(entries, false);
  }
}
