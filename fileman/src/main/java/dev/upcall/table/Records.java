package dev.upcall.table;

import dev.upcall.FsmUpcall;
import dev.upcall.Listing.Direction;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Failure;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Records under ids that the table gives: from 1 upwards, and none twice, whatever is deleted.
 * Those whose appending was rolled back, and some when a program ends, are never used. {@link
 * Upcall#records} opens them, with all their indexes, which are changed with each record in the
 * same commit.
 *
 * <p>For any threads but the store's own; what is durable when, and which failures there are, is as
 * {@link SortedTable} says. A record that a unique index refuses is {@code AlreadyExists}. The
 * bytes of a record are at most {@link TableRequest#MAX_VALUE_BYTES}.
 *
 * <pre>{@code
 * Index<String, Integer> byLength =
 *     Index.of("/letters-by-length", Codecs.INT, String::length);
 * Records<String> letters = store.records("/letters", Codecs.STRING, List.of(byLength));
 * long id = letters.append("Dear Ann");
 * letters.find(byLength, 8).forEach(letter -> System.out.println(letter.id()));
 * }</pre>
 *
 * @param <R> the records
 */
public final class Records<R> {
  /** Ids in ascending order. */
  static final Codec<Long> ID =
      Codecs.of(
          id -> ByteBuffer.allocate(Long.BYTES).putLong(id).array(),
          bytes -> ByteBuffer.wrap(bytes).getLong());

  private static final int BUILT_AT_ONCE = 512;

  private static final Range.Form<Long> FORM = new Range.Form<>(ID, false);

  private final Table<R> table;
  private final Access access;

  private Records(Table<R> table, Access access) {
    this.table = table;
    this.access = access;
  }

  /** The parts that are the same wherever the records are looked at. */
  private record Table<R>(
      Upcall store, StorePath path, Guarded<R> codec, List<Index<R, ?>> indexes, RecordIds ids) {
    static <R> Table<R> of(
        Upcall store, StorePath path, Guarded<R> codec, List<Index<R, ?>> indexes) {
      return new Table<>(store, path, codec, indexes, new RecordIds(store, path, indexes));
    }

    /** The same with one index more. */
    Table<R> with(Index<R, ?> index) {
      List<Index<R, ?>> more = new ArrayList<>(indexes);
      more.add(index);
      return of(store, path, codec, List.copyOf(more));
    }
  }

  /**
   * A record and its id.
   *
   * @param <R> the record
   */
  public record Entry<R>(long id, R record) {
    /** Checks that nothing is missing. */
    public Entry {
      Objects.requireNonNull(record, "record");
    }
  }

  /** See {@link Upcall#records(CharSequence, Codec, List)}. */
  public static <R> Records<R> open(
      Upcall store, CharSequence path, Codec<R> codec, List<Index<R, ?>> indexes) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(codec, "codec");
    Objects.requireNonNull(indexes, "indexes");
    for (Index<R, ?> index : indexes) {
      Objects.requireNonNull(index, "one of indexes");
    }
    List<Index<R, ?>> copy = List.copyOf(indexes);
    StorePath found = Access.open(store, path, TableMethod.RECORDS);
    Table<R> table = Table.of(store, found, new Guarded<>(codec, found, "records"), copy);
    Access access = Access.of(store, Durability.SYNC);
    Optional<byte[]> entry = table.ids().entry();
    if (entry.isEmpty()) {
      begin(table, access);
    } else {
      table.ids().checkOpening(entry.get());
    }
    return new Records<>(table, access);
  }

  /** Makes the first entry of a new table, and its indexes, unless somebody else was quicker. */
  private static <R> void begin(Table<R> table, Access access) {
    List<FileRequest> requests = new ArrayList<>();
    requests.add(table.ids().first());
    for (Index<R, ?> index : table.indexes()) {
      requests.add(index.create());
    }
    try {
      access.change(requests);
    } catch (UpcallException.AlreadyExists taken) {
      table.ids().checkOpening(table.ids().entry().orElseThrow(() -> taken));
    }
  }

  /** These records in a transaction: its own changes are seen, and happen with its commit. */
  public Records<R> in(UpcallTransaction transaction) {
    return new Records<>(table, Access.of(transaction));
  }

  /** These records as of a moment; changes are refused as {@code ReadOnly}. */
  public Records<R> in(UpcallSnapshot snapshot) {
    return new Records<>(table, Access.of(snapshot));
  }

  /**
   * These records of the store itself; a change of them alone is durable when it returns, or with
   * {@link Durability#ASYNC} soon after.
   */
  public Records<R> with(Durability durability) {
    return new Records<>(table, Access.of(table.store(), durability));
  }

  /** Where they are; those that were renamed are opened anew. */
  public StorePath path() {
    return table.path();
  }

  // ------------------------------------------------------------------ one record

  /** Adds a record; its id, which is larger than those that this has given before. */
  public long append(R record) {
    byte[] bytes = table.codec().encode(Objects.requireNonNull(record, "record"));
    List<byte[]> begins = begins(record);
    long id = table.ids().take();
    List<FileRequest> requests = new ArrayList<>();
    requests.add(new TableRequest.PutEntry(path(), ID.encode(id), bytes, Expect.ABSENT));
    for (int i = 0; i < begins.size(); i++) {
      requests.add(table.indexes().get(i).put(begins.get(i), id));
    }
    guarded(requests);
    return id;
  }

  /** The record of an id, if there is one. */
  public Optional<R> read(long id) {
    return stored(id).map(table.codec()::decode);
  }

  /** Puts a record into the place of the one with an id; {@code false} if there is none. */
  public boolean update(long id, R record) {
    byte[] bytes = table.codec().encode(Objects.requireNonNull(record, "record"));
    List<byte[]> begins = begins(record);
    return change(
        id,
        before -> {
          List<FileRequest> requests = new ArrayList<>();
          requests.add(
              new TableRequest.PutEntry(path(), ID.encode(id), bytes, Expect.value(before)));
          List<byte[]> old = begins(table.codec().decode(before));
          for (int i = 0; i < old.size(); i++) {
            if (!Arrays.equals(old.get(i), begins.get(i))) {
              requests.add(table.indexes().get(i).remove(old.get(i), id));
              requests.add(table.indexes().get(i).put(begins.get(i), id));
            }
          }
          return requests;
        });
  }

  /** Deletes the record of an id; {@code false} if there is none. */
  public boolean delete(long id) {
    return change(
        id,
        before -> {
          List<FileRequest> requests = new ArrayList<>();
          requests.add(new TableRequest.RemoveEntry(path(), ID.encode(id), Expect.value(before)));
          List<byte[]> old = begins(table.codec().decode(before));
          for (int i = 0; i < old.size(); i++) {
            requests.add(table.indexes().get(i).remove(old.get(i), id));
          }
          return requests;
        });
  }

  /** Changes a record as it is; again, if somebody else has changed it meanwhile. */
  private boolean change(long id, Function<byte[], List<FileRequest>> requests) {
    while (true) {
      Optional<byte[]> before = stored(id);
      if (before.isEmpty()) {
        table.ids().check();
        return false;
      }
      try {
        guarded(requests.apply(before.get()));
        return true;
      } catch (UpcallException.VersionMismatch changedMeanwhile) {
        // Look again.
      }
    }
  }

  /** Changes the records unless somebody has begun to build an index, which is then said. */
  private void guarded(List<FileRequest> requests) {
    List<FileRequest> all = new ArrayList<>();
    all.add(table.ids().guard());
    all.addAll(requests);
    try {
      access.change(all);
    } catch (UpcallException.AlreadyExists taken) {
      table.ids().check();
      throw taken;
    }
  }

  private Optional<byte[]> stored(long id) {
    if (id < 1) {
      throw UpcallException.of(
          new Failure.Invalid(
              "no record of %s has the id %d: they begin at 1".formatted(path(), id)));
    }
    return access.ask(new Look.Entry(path(), ID.encode(id)));
  }

  /** How the entries of a record in the indexes begin. */
  private List<byte[]> begins(R record) {
    List<byte[]> begins = new ArrayList<>();
    for (Index<R, ?> index : table.indexes()) {
      begins.add(index.begin(record));
    }
    return begins;
  }

  // ------------------------------------------------------------------ many

  /** All records by their ids, as {@link SortedTable#scan(Range, Direction)} says. */
  public Stream<Entry<R>> scan() {
    return scan(Range.all(), Direction.ASCENDING);
  }

  /** Records of some ids, as {@link SortedTable#scan(Range, Direction)} says. */
  public Stream<Entry<R>> scan(Range<Long> ids, Direction direction) {
    Objects.requireNonNull(direction, "direction");
    KeyRange range = Objects.requireNonNull(ids, "ids").and(Range.from(1L)).of(FORM);
    return access
        .scan(path(), range, direction)
        .map(entry -> new Entry<>(ID.decode(entry.key()), table.codec().decode(entry.value())));
  }

  /** How many records there are: exact, at the same cost whatever the number. */
  public long count() {
    int others = access.ask(RecordIds.front(path())).entries().size();
    return access.ask(new Look.EntryCount(path())) - others;
  }

  /** Records of which the function of an index gives this, by their ids. */
  public <K> Stream<Entry<R>> find(Index<R, K> index, K key) {
    Objects.requireNonNull(index, "index");
    Objects.requireNonNull(key, "key");
    return find(index, index.of(key), Direction.ASCENDING);
  }

  /**
   * Records of which the function of an index gives a key of a range, in the order of these keys.
   * In a transaction or snapshot all is of one moment; otherwise each record is as it is when it is
   * read, and left out when it has no such key any more.
   */
  public <K> Stream<Entry<R>> find(Index<R, K> index, Range<K> keys, Direction direction) {
    Objects.requireNonNull(index, "index");
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(direction, "direction");
    return find(index, keys.of(index.form()), direction);
  }

  private <K> Stream<Entry<R>> find(Index<R, K> index, KeyRange range, Direction direction) {
    if (!table.indexes().contains(index)) {
      throw UpcallException.of(
          new Failure.Invalid(
              "%s was not opened with the index %s".formatted(path(), index.path())));
    }
    return access
        .scan(index.path(), range, direction)
        .flatMap(
            entry -> {
              long id = index.id(entry);
              return read(id).filter(record -> index.has(entry, record, id)).stream()
                  .map(record -> new Entry<>(id, record));
            });
  }

  /**
   * Makes an index of the records that are there, and gives the records with it. Meanwhile nobody
   * changes them: that is refused as {@code Invalid}, and transactions that had changes of them are
   * a {@code Conflict}. The index comes in one transaction: {@code TooLarge} for more than it
   * takes, about 60,000 small records. Others open the records again, with this index; those who do
   * not are refused. Those who open them meanwhile wait; when the program ends in between, the next
   * opening without the index gives it up.
   *
   * @throws UpcallException {@code AlreadyExists} if its path is taken, or it is unique and two
   *     records have one key; {@code Invalid} with an engine without transactions; nothing has
   *     changed then
   */
  public <K> Records<R> build(Index<R, K> index) {
    Table<R> with = table.with(Objects.requireNonNull(index, "index"));
    FsmUpcall machines = table.store().fsm();
    table.ids().close();
    boolean isBuilt = false;
    try {
      machines.transact(
          transaction -> {
            in(transaction).fill(index, with);
            return index;
          });
      isBuilt = true;
    } finally {
      if (!isBuilt) {
        table.ids().reopen();
      }
    }
    return new Records<>(with, Access.of(table.store(), Durability.SYNC));
  }

  private void fill(Index<R, ?> index, Table<R> with) {
    byte[] before = access.ask(new Look.Entry(path(), RecordIds.KEY)).orElseThrow();
    access.change(List.of(with.ids().replace(before), index.create()));
    List<FileRequest> requests = new ArrayList<>();
    for (Iterator<TablePage.Entry> entries =
            access.scan(path(), Range.from(1L).of(FORM), Direction.ASCENDING).iterator();
        entries.hasNext(); ) {
      TablePage.Entry entry = entries.next();
      long id = ID.decode(entry.key());
      requests.add(index.put(index.begin(table.codec().decode(entry.value())), id));
      if (requests.size() >= BUILT_AT_ONCE) {
        access.change(requests);
        requests = new ArrayList<>();
      }
    }
    if (!requests.isEmpty()) {
      access.change(requests);
    }
  }
}
