package dev.upcall.access;

import dev.upcall.base.Invariants;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Staged;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.View;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the entries of tables in one run of a change: what a view shows, covered by what was
 * done so far. {@link #emit} turns the cover into mutations. Keeps the numbers of entries, and
 * frees the content of values that go. An entry is looked up once, or met by a scan.
 */
public final class TableEdits {
  private static final byte[] ABSENT = {};

  private final View view;
  private final Faults faults;

  /** Contents of values that were put, by their segments. */
  private final TreeMap<Long, Brought> brought = new TreeMap<>();

  /** Segments to which committed entries led that are changed, with the tables of these. */
  private final TreeMap<Long, Long> dropped = new TreeMap<>();

  /** All that was looked at, by keys of the tree. */
  private final TreeMap<byte[], Entry> entries = new TreeMap<>(Arrays::compareUnsigned);

  /** Of these the numbers of entries, by their tables. */
  private final TreeMap<Long, Entry> counts = new TreeMap<>();

  /** Ways in which it is broken on purpose: the simulator must notice each. */
  public enum Fault {
    /** A table does not count what goes. */
    COUNT_DRIFTS,
    /** A removal of a range takes one entry more. */
    NEIGHBOUR_TAKEN,
    /** Entries are put whether their table is still there or not. */
    GONE_TABLE_TAKES_ENTRIES,
    /** With an entry of a range the content of the next one behind it is freed. */
    CONTENT_FREED_EARLY,
    /** The content of a value stays when another value takes its place. */
    CONTENT_LEFT_BEHIND
  }

  /** New content of a value. */
  private record Brought(Inode inode, StagedContent content) {}

  /**
   * Nothing done so far.
   *
   * @param faults deliberate ones, given only by tests
   */
  public TableEdits(View view, Faults faults) {
    this.view = view;
    this.faults = faults;
  }

  /** One that is there, or could be: what becomes of it, with all that was done so far. */
  public final class Entry {
    private final byte[] whole;

    /** No stored form is empty: that is {@link #ABSENT}. */
    private byte[] stored;

    private boolean isChanged;

    private Entry(byte[] whole, byte @Nullable [] seen) {
      this.whole = whole;
      this.stored = seen == null ? ABSENT : seen;
    }

    private long table() {
      return TableEntries.table(whole);
    }

    private boolean isThere() {
      return stored.length > 0;
    }

    private void become(byte[] after) {
      stored = after;
      isChanged = true;
    }

    /** Its value, or null. */
    public TableEntries.@Nullable Value value() {
      return isThere() ? TableEntries.value(stored) : null;
    }

    /** Gives it a value. */
    public void put(byte[] value) {
      set(this, TableEntries.stored(value));
    }

    /**
     * Gives it a value that was brought as content. One that is small enough stands in the tree, as
     * if it had been given as bytes, unless it has its place on the volume already, which only a
     * very small log makes of it.
     *
     * @param inode a new one, with the size of the content, which the content gets if it is larger
     */
    public void put(Inode inode, StagedContent content) {
      byte[] small = smallBytes(content);
      if (small != null) {
        put(small);
        return;
      }
      TableEntries.Value.Content value =
          new TableEntries.Value.Content(inode.id(), content.sizeBytes());
      set(this, TableEntries.stored(value));
      brought.put(inode.id(), new Brought(inode, content));
    }

    /** Removes it; harmless when it is absent. */
    public void remove() {
      set(this, ABSENT);
    }
  }

  /** A new table has no entries, and says so. */
  public void make(long table) {
    count(table).become(TableEntries.storedCount(0));
  }

  /** The entry under a key of a table, to be changed only if that {@link #isCounted}. */
  public Entry at(long table, byte[] key) {
    return at(TableEntries.key(table, key));
  }

  private Entry at(byte[] whole) {
    return entries.computeIfAbsent(whole, key -> new Entry(key, view.get(StoreTree.ENTRIES, key)));
  }

  private Entry count(long table) {
    return counts.computeIfAbsent(table, id -> at(TableEntries.countKey(id)));
  }

  /** Whether a table says how many entries it has; one that does not is damaged. */
  public boolean isCounted(long table) {
    return count(table).isThere();
  }

  private static byte @Nullable [] smallBytes(StagedContent content) {
    if (content.sizeBytes() > TableEntries.MAX_VALUE_BYTES) {
      return null;
    }
    return switch ((Staged) content) {
      case Staged.Tiny tiny -> tiny.bytes();
      case Staged.InFrame frame -> {
        byte[] bytes = new byte[(int) frame.sizeBytes()];
        frame.lease().buffer().get(0, bytes);
        yield bytes;
      }
      case Staged.Placed _, Staged.Hashed _ -> null;
    };
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
    List<Entry> found = first(range.first(table), end, limit + 1);
    found.stream().limit(limit).forEach(Entry::remove);
    if (!found.isEmpty() && faults.has(Fault.CONTENT_FREED_EARLY)) {
      freeBehind(table, found.getLast().whole);
    }
    return found.size();
  }

  private void set(Entry entry, byte[] after) {
    long table = entry.table();
    boolean was = entry.isThere();
    boolean is = after.length > 0;
    if (TableEntries.isContent(entry.stored)) {
      drop(table, entry.stored, is);
    }
    if (was || is) {
      entry.become(after);
    }
    if (was != is && (is || !faults.has(Fault.COUNT_DRIFTS))) {
      Entry count = count(table);
      Invariants.check(count.isThere(), "a table that does not count its entries", table);
      count.become(TableEntries.storedCount(TableEntries.count(count.stored) + (is ? 1 : -1)));
    }
  }

  /** The entry that led to content goes, or leads elsewhere. */
  private void drop(long table, byte[] stored, boolean isReplaced) {
    if (isReplaced && faults.has(Fault.CONTENT_LEFT_BEHIND)) {
      return;
    }
    if (TableEntries.value(stored) instanceof TableEntries.Value.Content value
        && brought.remove(value.segment()) == null) {
      dropped.put(value.segment(), table);
    }
  }

  /** The first that are there, at most so many. */
  private List<Entry> first(byte[] from, byte[] end, int most) {
    if (Arrays.compareUnsigned(from, end) >= 0) {
      return List.of();
    }
    View.Scan scan = view.from(StoreTree.ENTRIES, from).to(end);
    int seen = 0;
    while (seen < most && scan.next()) {
      byte[] key = scan.key();
      if (Arrays.compareUnsigned(key, end) >= 0) {
        break;
      }
      if (!entries.containsKey(key)) {
        entries.put(key, new Entry(key, scan.value()));
        seen++;
      }
    }
    return entries.subMap(from, end).values().stream().filter(Entry::isThere).limit(most).toList();
  }

  /**
   * Says everything that was done to tables that are there.
   *
   * @param isThere whether a table is there behind the change; the store takes apart what is left
   *     of one that is not
   */
  public void emit(Mutations out, LongPredicate isThere) {
    boolean any = faults.has(Fault.GONE_TABLE_TAKES_ENTRIES);
    emitContents(out, isThere);
    Entry before = null;
    boolean isTaken = false;
    for (Entry entry : entries.values()) {
      if (!entry.isChanged) {
        continue;
      }
      if (before == null || before.table() != entry.table()) {
        isTaken = any || isThere.test(entry.table());
      }
      before = entry;
      if (!isTaken) {
        continue;
      }
      if (entry.isThere()) {
        out.put(StoreTree.ENTRIES, entry.whole, entry.stored);
      } else {
        out.remove(StoreTree.ENTRIES, entry.whole);
      }
    }
  }

  /** Broken on purpose: the first content behind a key, whose entry stays. */
  private void freeBehind(long table, byte[] last) {
    byte[] next = Arrays.copyOf(last, last.length + 1);
    for (Entry entry : first(next, TableEntries.endKey(table), Integer.MAX_VALUE)) {
      if (TableEntries.isContent(entry.stored)) {
        drop(table, entry.stored, /* isReplaced= */ false);
        return;
      }
    }
  }

  /** Content goes in the change that drops it, and so its blocks come back exactly once. */
  private void emitContents(Mutations out, LongPredicate isThere) {
    long[] ids =
        dropped.entrySet().stream()
            .filter(each -> isThere.test(each.getValue()))
            .mapToLong(Map.Entry::getKey)
            .toArray();
    @Nullable Inode[] gone = new Inode[ids.length];
    view.inodes(ids, gone);
    for (Inode inode : gone) {
      // One that is not there is damage, which costs its own entry and no other.
      if (inode != null) {
        out.removeSegment(inode);
      }
    }
    for (Brought each : brought.values()) {
      if (isThere.test(each.inode().parent())) {
        out.putInode(each.inode(), each.content());
      }
    }
  }
}
