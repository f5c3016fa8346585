package dev.upcall.sim.store.model;

import dev.upcall.access.TableEdits;
import dev.upcall.access.TableView;
import dev.upcall.content.Kind;
import dev.upcall.content.StagedContent;
import dev.upcall.content.Times;
import dev.upcall.fsm.Faults;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.segment.layout.TreeKeys;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.Mutations;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.TableEntries;
import dev.upcall.txn.View;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Tables of the simulator: a few places with names, in each of which a table comes and goes, under
 * a new id each time; a few keys of all lengths, whose values are made from a stamp.
 */
public final class SimTables {
  private static final long DIRECTORY = 1;

  /** Below the ids of files. */
  private static final long FIRST_PLACE = 50;

  private static final long FIRST_ID = 1L << 32;
  private static final int PLACES = 3;
  private static final int KEYS = 40;
  private static final int LONGEST_KEY = 288;
  private static final int LARGEST_VALUE = 1180;

  /** Below the ids of tables. */
  private static final long FIRST_VALUE_ID = 1L << 31;

  private static final int MOST_CONTENT = 40_000;
  private static final int CONTENT_ONE_IN = 5;
  private static final int MOST_REMOVED = 8;
  private static final int PAGE_ENTRIES = 7;
  private static final int PAGE_BYTES = 3000;

  private SimTables() {}

  /** The kinds of changes. */
  enum Kinds {
    /** A table comes, if there is none. */
    MAKE,
    /** It goes, if there is one. */
    DELETE,
    /** An entry gets a value. */
    PUT,
    /** An entry gets a value, if there is none. */
    PUT_IF_ABSENT,
    /** An entry goes. */
    REMOVE,
    /** The first entries of a range go. */
    REMOVE_RANGE
  }

  /**
   * One of the things that a change does; nothing where there is no table.
   *
   * @param place of the table
   * @param from the key, or the first of a range
   * @param below what is behind the range
   * @param stamp what a value is made from, or how many go at most
   */
  public record Op(Kinds kind, long place, long from, long below, long stamp) {}

  /** One change. */
  public static List<Op> draw(SplittableRandom random, LongSupplier stamps) {
    List<Op> ops = new ArrayList<>();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      Kinds kind =
          switch (random.nextInt(24)) {
            case 0 -> Kinds.DELETE;
            case 1, 2, 3 -> Kinds.MAKE;
            case 4, 5, 6, 7 -> Kinds.REMOVE;
            case 8, 9 -> Kinds.REMOVE_RANGE;
            default -> Kinds.PUT;
          };
      long from = random.nextInt(KEYS);
      long stamp =
          kind == Kinds.REMOVE_RANGE ? 1 + random.nextInt(MOST_REMOVED) : stamps.getAsLong();
      ops.add(
          new Op(
              kind,
              FIRST_PLACE + random.nextInt(PLACES),
              from,
              from + random.nextInt(KEYS / 4),
              stamp));
    }
    return ops;
  }

  /** The same change with conditions: some entries get a value if there is none. */
  public static List<Op> conditional(List<Op> ops) {
    return ops.stream()
        .map(
            op ->
                op.kind() == Kinds.PUT && op.stamp() % 2 == 0
                    ? new Op(Kinds.PUT_IF_ABSENT, op.place(), op.from(), op.below(), op.stamp())
                    : op)
        .toList();
  }

  /** The stamps of values that are content: it has to be brought before the change. */
  public static List<Long> contents(List<Op> ops) {
    return ops.stream()
        .filter(op -> op.kind() == Kinds.PUT || op.kind() == Kinds.PUT_IF_ABSENT)
        .map(Op::stamp)
        .filter(SimTables::isBrought)
        .toList();
  }

  /** Whether the value that is made from a stamp is brought as content, be it a small one. */
  static boolean isBrought(long stamp) {
    return stamp % CONTENT_ONE_IN == 2;
  }

  private static int broughtBytes(long stamp) {
    return LARGEST_VALUE - 400 + (int) (stamp * 7919 % MOST_CONTENT);
  }

  /** Whether an inode is that of a value, and of no file. */
  public static boolean isValue(Inode inode) {
    return inode.kind() == Kind.FILE && inode.parent() != 0;
  }

  /** The stamp of the value that an inode has. */
  public static long stampOf(Inode inode) {
    return inode.owner();
  }

  /** All places at which there can be a table, to be emptied. */
  public static List<Op> deletions() {
    return places().stream().map(place -> new Op(Kinds.DELETE, place, 0, 0, 0)).toList();
  }

  // ------------------------------------------------------------------ in the model

  /**
   * The fate of tables.
   *
   * @param tables by their places; never changed
   * @return those that are different, null where one is gone
   */
  public static TreeMap<Long, @Nullable SimTable> applied(
      List<Op> ops, Map<Long, SimTable> tables) {
    TreeMap<Long, @Nullable SimTable> after = new TreeMap<>();
    for (Op op : ops) {
      SimTable before =
          after.containsKey(op.place()) ? after.get(op.place()) : tables.get(op.place());
      SimTable next = SimTable.after(op, before);
      if (!Objects.equals(before, next)) {
        after.put(op.place(), next);
      }
    }
    return after;
  }

  // ------------------------------------------------------------------ in the store

  /**
   * Does what a change does.
   *
   * @param contents of values, by their stamps
   * @param ids of the tables that were found at an earlier run, by their places; gets those of this
   * @return false where a table that was found before is gone
   */
  public static boolean plan(
      List<Op> ops,
      Map<Long, StagedContent> contents,
      View view,
      Mutations out,
      Faults faults,
      Map<Long, Long> ids) {
    TableEdits edits = new TableEdits(view, faults);
    TreeMap<Long, @Nullable Long> now = new TreeMap<>(ids);
    TreeSet<Long> made = new TreeSet<>();
    TreeSet<Long> gone = new TreeSet<>();
    for (Op op : ops) {
      if (!now.containsKey(op.place())) {
        Long id = id(view, op.place());
        now.put(op.place(), id);
        if (id != null) {
          ids.put(op.place(), id);
        }
      }
      Long id = now.get(op.place());
      if (op.kind() == Kinds.MAKE) {
        if (id == null) {
          long fresh = make(out, op);
          edits.make(fresh);
          made.add(fresh);
          now.put(op.place(), fresh);
        }
      } else if (id != null) {
        if (!edits.isCounted(id)) {
          return false;
        }
        if (op.kind() != Kinds.DELETE) {
          edit(edits, op, id, contents);
        } else if (!made.remove(id)) {
          Inode inode = view.inode(id);
          if (inode == null) {
            return false;
          }
          out.remove(StoreTree.NAMES, nameKey(op.place()));
          out.removeSegment(inode);
          gone.add(id);
          now.put(op.place(), null);
        } else {
          throw new IllegalStateException("a table that is made and deleted by one change");
        }
      }
    }
    edits.emit(out, id -> made.contains(id) || !gone.contains(id) && view.inode(id) != null);
    return true;
  }

  /** Without what one change cannot do: delete what it has made. */
  public static List<Op> possible(List<Op> ops) {
    TreeSet<Long> made = new TreeSet<>();
    List<Op> possible = new ArrayList<>();
    for (Op op : ops) {
      if (op.kind() == Kinds.MAKE) {
        made.add(op.place());
      }
      if (op.kind() != Kinds.DELETE || !made.contains(op.place())) {
        possible.add(op);
      }
    }
    return possible;
  }

  private static void edit(TableEdits edits, Op op, long id, Map<Long, StagedContent> contents) {
    switch (op.kind()) {
      case PUT_IF_ABSENT -> {
        TableEdits.Entry entry = edits.at(id, key(op.from()));
        if (entry.value() == null) {
          put(entry, op, id, contents);
        }
      }
      case PUT -> put(edits.at(id, key(op.from())), op, id, contents);
      case REMOVE -> edits.at(id, key(op.from())).remove();
      case REMOVE_RANGE ->
          edits.remove(id, new TableView.Range(key(op.from()), key(op.below())), (int) op.stamp());
      case MAKE, DELETE -> throw new IllegalStateException("not of entries");
    }
  }

  private static void put(
      TableEdits.Entry entry, Op op, long id, Map<Long, StagedContent> contents) {
    if (isBrought(op.stamp())) {
      StagedContent content = Objects.requireNonNull(contents.get(op.stamp()), "content");
      entry.put(valueInode(id, op.stamp(), content.sizeBytes()), content);
    } else {
      entry.put(value(op.stamp()));
    }
  }

  /** Ids of files are given by their clients, so those of tables are not the store's either. */
  static long idOf(Op made) {
    return FIRST_ID + made.stamp();
  }

  private static long make(Mutations out, Op op) {
    long id = idOf(op);
    byte[] value =
        ByteBuffer.allocate(Long.BYTES + 1)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(id)
            .put((byte) Kind.TABLE.code())
            .array();
    out.put(StoreTree.NAMES, nameKey(op.place()), value);
    out.putInode(
        new Inode(
            id,
            Kind.TABLE,
            1,
            0644,
            0,
            0,
            new Times(0, 0, 0),
            0,
            1,
            Collections.emptySortedMap(),
            Layout.EMPTY));
    return id;
  }

  private static Inode valueInode(long table, long stamp, long sizeBytes) {
    return new Inode(
        FIRST_VALUE_ID + stamp,
        Kind.FILE,
        0,
        0644,
        stamp,
        table,
        new Times(0, 0, 0),
        sizeBytes,
        1,
        Collections.emptySortedMap(),
        Layout.EMPTY);
  }

  private static @Nullable Long id(View view, long place) {
    byte[] value = view.get(StoreTree.NAMES, nameKey(place));
    return value == null ? null : ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private static byte[] nameKey(long place) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(DIRECTORY).putLong(~place).array();
  }

  /** In the order of the numbers, some of them of the greatest length. */
  private static byte[] key(long number) {
    return number % 7 == 3 ? Arrays.copyOf(TreeKeys.of(number), LONGEST_KEY) : TreeKeys.of(number);
  }

  /** The value that is made from a stamp. */
  public static byte[] value(long stamp) {
    if (isBrought(stamp)) {
      byte[] bytes = StoreFixture.bytes(stamp, broughtBytes(stamp));
      System.arraycopy(TreeKeys.of(stamp), 0, bytes, 0, Long.BYTES);
      return bytes;
    }
    int size = stamp % 9 == 0 ? LARGEST_VALUE : Long.BYTES + (int) (stamp % 50);
    return Arrays.copyOf(TreeKeys.of(stamp), size);
  }

  /** The inode of the value of an entry that is content; null where it is not, or not there. */
  static @Nullable Inode content(View view, long place, long number) {
    Long id = id(view, place);
    return id != null
            && new TableView(view, id).value(key(number))
                instanceof TableEntries.Value.Content(long segment, long _)
        ? view.inode(segment)
        : null;
  }

  /** The stamp from which the value of an entry is made; null where it is not there. */
  static @Nullable Long stamp(View view, long place, long number) {
    Long id = id(view, place);
    TableEntries.Value value = id == null ? null : new TableView(view, id).value(key(number));
    return id == null || value == null ? null : Long.valueOf(stamp(view, id, number, value));
  }

  /** How many entries a table says that it has; null where it is not there. */
  static @Nullable Long count(View view, long place) {
    Long id = id(view, place);
    return id == null ? null : Long.valueOf(new TableView(view, id).count());
  }

  /** A change that looks first finds the entries that it names as they are. */
  public static void check(View view, List<Op> ops, Map<Long, SimTable> tables) {
    for (Op op : ops) {
      SimTable table = tables.get(op.place());
      SimInspection.checkThat(
          Objects.equals(id(view, op.place()), table == null ? null : table.id())
              && Objects.equals(
                  stamp(view, op.place(), op.from()),
                  table == null ? null : table.entries().get(op.from())),
          () -> "entry %d of %d is not that of %s".formatted(op.from(), op.place(), table));
    }
  }

  /** All places at which there can be a table. */
  public static List<Long> places() {
    return LongStream.range(FIRST_PLACE, FIRST_PLACE + PLACES).boxed().toList();
  }

  /** All keys that an entry can have. */
  public static List<Long> keys() {
    return LongStream.range(0, KEYS).boxed().toList();
  }

  /** All tables of a view, by their places. */
  public static TreeMap<Long, SimTable> look(View view) {
    return look(view, new TreeSet<>());
  }

  /**
   * The same.
   *
   * @param contents gets the stamps of values that are content
   */
  static TreeMap<Long, SimTable> look(View view, Set<Long> contents) {
    TreeMap<Long, SimTable> tables = new TreeMap<>();
    for (long place : places()) {
      Long id = id(view, place);
      if (id != null) {
        tables.put(place, new SimTable(id, look(view, id, contents)));
      }
    }
    return tables;
  }

  /** The source of a value; of content, which is read elsewhere, as its inode says. */
  private static long stamp(View view, long id, long number, TableEntries.Value value) {
    switch (value) {
      case TableEntries.Value.Inline(byte[] bytes) -> {
        long stamp = TreeKeys.number(bytes, 0);
        SimInspection.checkThat(
            Arrays.equals(bytes, value(stamp)),
            () -> "entry %d of table %d has another value".formatted(number, id));
        return stamp;
      }
      case TableEntries.Value.Content(long segment, long sizeBytes) -> {
        Inode inode = view.inode(segment);
        SimInspection.checkThat(
            inode != null
                && isValue(inode)
                && inode.parent() == id
                && inode.size() == sizeBytes
                && sizeBytes == broughtBytes(stampOf(inode)),
            () -> "entry %d of table %d has not the content that it names".formatted(number, id));
        return stampOf(Objects.requireNonNull(inode));
      }
    }
  }

  /** Upwards and downwards, by pages. */
  private static TreeMap<Long, Long> look(View view, long id, Set<Long> contents) {
    Inode inode = view.inode(id);
    SimInspection.checkThat(
        inode != null && inode.kind() == Kind.TABLE, () -> "table " + id + " has no inode");
    TableView table = new TableView(view, id);
    TreeMap<Long, Long> entries = new TreeMap<>();
    TableView.Range rest = TableView.Range.ALL;
    boolean more = true;
    while (more) {
      TableView.Page page = table.page(rest, /* ascends= */ true, PAGE_ENTRIES, PAGE_BYTES);
      for (TableView.Entry entry : page.entries()) {
        long number = TreeKeys.number(entry.key(), 0);
        long stamp = stamp(view, id, number, entry.value());
        SimInspection.checkThat(
            Arrays.equals(entry.key(), key(number)),
            () -> "entry %d of table %d has another key".formatted(number, id));
        SimInspection.checkThat(
            entries.isEmpty() || entries.lastKey() < number,
            () -> "entry %d of table %d is out of order".formatted(number, id));
        entries.put(number, stamp);
        if (entry.value() instanceof TableEntries.Value.Content) {
          contents.add(stamp);
        }
      }
      more = page.hasMore();
      if (more) {
        byte[] last = page.entries().getLast().key();
        rest = new TableView.Range(Arrays.copyOf(last, last.length + 1), null);
      }
    }
    long count = table.count();
    SimInspection.checkThat(
        count == entries.size(),
        () -> "table %d has %d entries and says %d".formatted(id, entries.size(), count));
    if (!entries.isEmpty()) {
      TableView.Page last = table.page(TableView.Range.ALL, /* ascends= */ false, 1, PAGE_BYTES);
      long number = TreeKeys.number(last.entries().getFirst().key(), 0);
      SimInspection.checkThat(
          number == Objects.requireNonNull(entries.lastKey()),
          () -> "the last entry of table %d is %d".formatted(id, number));
    }
    return entries;
  }
}
