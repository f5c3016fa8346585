package dev.upcall.table;

import dev.upcall.BatchResult;
import dev.upcall.Listing.Direction;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.request.Expect;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A table with keys in the order of their bytes, which the codec of the keys decides. {@link
 * Upcall#sortedTable} opens one; this is a view without a state, for any threads but the store's
 * own, and holds nothing open.
 *
 * <p>A change is durable when it returns, {@link #with} says otherwise. {@link
 * #in(UpcallTransaction)} makes it a part of a transaction, with changes of files if these are in
 * it.
 *
 * <pre>{@code
 * SortedTable<String, String> orders =
 *     store.sortedTable("/shop/orders", Codecs.STRING, Codecs.STRING);
 * try (UpcallTransaction both = store.begin()) {
 *   orders.in(both).put("2026-11-22/17", "3 chairs");
 *   both.write("/shop/invoices/17.pdf", text(17));
 *   both.commit(); // both or neither
 * }
 * }</pre>
 *
 * <p>A key has 1 to {@link TableRequest#MAX_KEY_BYTES} bytes: {@code TooLarge} or {@code Invalid}
 * otherwise, on the caller's thread, before anything is asked. {@code Invalid} is also what a codec
 * refuses. Other failures are those of {@link TableRequest}: {@code NotFound} when the table was
 * deleted.
 *
 * <p>A value may be as large as a file. One of more than {@link TableRequest#MAX_VALUE_BYTES} is
 * content of its own, as that of a file; here it is put and got as any other, as far as an array
 * holds it. {@link #write} and {@link #read(Object)} take and give bytes as streams, whatever the
 * codec of the values, and {@link #pathOf} is for all else.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class SortedTable<K, V> {
  private static final int REMOVED_AT_ONCE = 256;

  private final Upcall store;
  private final StorePath path;
  private final Guarded<K> keys;
  private final Guarded<V> values;
  private final Access access;

  private SortedTable(
      Upcall store, StorePath path, Guarded<K> keys, Guarded<V> values, Access access) {
    this.store = store;
    this.path = path;
    this.keys = keys;
    this.values = values;
    this.access = access;
  }

  /** See {@link Upcall#sortedTable}. */
  public static <K, V> SortedTable<K, V> open(
      Upcall store, CharSequence path, Codec<K> keys, Codec<V> values) {
    return open(store, path, keys, values, TableMethod.SORTED);
  }

  static <K, V> SortedTable<K, V> open(
      Upcall store, CharSequence path, Codec<K> keys, Codec<V> values, TableMethod method) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(values, "values");
    StorePath table = Access.open(store, path, method);
    return new SortedTable<>(
        store,
        table,
        new Guarded<>(keys, table, "keys"),
        new Guarded<>(values, table, "values"),
        Access.of(store, Durability.SYNC));
  }

  /** This table in a transaction: its own changes are seen, and happen with its commit. */
  public SortedTable<K, V> in(UpcallTransaction transaction) {
    return in(Access.of(transaction));
  }

  /** This table as of a moment; changes are refused as {@code ReadOnly}. */
  public SortedTable<K, V> in(UpcallSnapshot snapshot) {
    return in(Access.of(snapshot));
  }

  /**
   * This table of the store itself; a change of it alone is durable when it returns, or with {@link
   * Durability#ASYNC} soon after.
   */
  public SortedTable<K, V> with(Durability durability) {
    return in(Access.of(store, durability));
  }

  private SortedTable<K, V> in(Access other) {
    return new SortedTable<>(store, path, keys, values, other);
  }

  /** Where it is; one that was renamed is opened anew. */
  public StorePath path() {
    return path;
  }

  // ------------------------------------------------------------------ one key

  /** The value of a key, if there is one. */
  public Optional<V> get(K key) {
    return access.value(path, bytes(key)).map(values::decode);
  }

  /** Whether a key has a value. */
  public boolean containsKey(K key) {
    Look.Entry look = new Look.Entry(path, bytes(key));
    try {
      return access.ask(look).isPresent();
    } catch (UpcallException.TooLarge isContent) {
      return true;
    }
  }

  /** Sets the value of a key, whatever is there. */
  public void put(K key, V value) {
    put(key, value, Expect.ANY);
  }

  /** Sets the value of a key that has none; otherwise gives {@code false} and changes nothing. */
  public boolean putIfAbsent(K key, V value) {
    try {
      put(key, value, Expect.ABSENT);
      return true;
    } catch (UpcallException.AlreadyExists taken) {
      return false;
    }
  }

  /** Sets the value of a key that has one; otherwise gives {@code false} and changes nothing. */
  public boolean replace(K key, V value) {
    return ifPresent(() -> put(key, value, Expect.PRESENT));
  }

  /**
   * Sets the value of a key that has this one, by its bytes; otherwise gives {@code false}. Neither
   * of the two may have more than {@link TableRequest#MAX_VALUE_BYTES}: {@code TooLarge}.
   */
  public boolean replace(K key, V expected, V value) {
    Expect before = Expect.value(bytes(expected, "expected"));
    return ifEqual(() -> put(key, value, before));
  }

  /** Removes a key; {@code false} if there is none. */
  public boolean remove(K key) {
    TableRequest request = new TableRequest.RemoveEntry(path, bytes(key), Expect.PRESENT);
    return ifPresent(() -> access.change(request));
  }

  /**
   * Removes a key that has this value, by its bytes; otherwise gives {@code false}. It may have at
   * most {@link TableRequest#MAX_VALUE_BYTES}: {@code TooLarge}.
   */
  public boolean remove(K key, V expected) {
    TableRequest request =
        new TableRequest.RemoveEntry(path, bytes(key), Expect.value(bytes(expected, "expected")));
    return ifEqual(() -> access.change(request));
  }

  private byte[] bytes(K key) {
    return keys.encode(Objects.requireNonNull(key, "key"));
  }

  private byte[] bytes(V value, String argument) {
    return values.encode(Objects.requireNonNull(value, argument));
  }

  private void put(K key, V value, Expect expect) {
    access.put(path, bytes(key), bytes(value, "value"), expect);
  }

  private boolean ifPresent(Runnable change) {
    try {
      change.run();
      return true;
    } catch (UpcallException.NotFound none) {
      count(); // fails as this did if it is the table that is not there
      return false;
    }
  }

  private boolean ifEqual(Runnable change) {
    try {
      change.run();
      return true;
    } catch (UpcallException.VersionMismatch other) {
      return false;
    }
  }

  // ------------------------------------------------------------------ values of any size

  /** Sets the value of a key to the bytes of a stream, which is read to its end (not closed). */
  public void write(K key, InputStream content) {
    Objects.requireNonNull(content, "content");
    access.put(pathOf(key), content);
  }

  /**
   * Opens the value of a key as a stream, if there is one: later changes do not change what it
   * reads. Must be closed. Used by one thread at a time.
   */
  public Optional<Upcall.ReadStream> read(K key) {
    StorePath value = pathOf(key);
    return access.ifThere(path, () -> access.reads().read(value));
  }

  /**
   * A range of the value of a key, if there is one, as {@link UpcallReads#read(CharSequence, long,
   * int)} reads one of a file.
   *
   * @param maxBytes at most {@link Look.ReadRange#MAX_BYTES}
   */
  public Optional<byte[]> read(K key, long offset, int maxBytes) {
    Look.ReadRange range = new Look.ReadRange(pathOf(key), offset, maxBytes);
    return access.ifThere(path, () -> access.ask(range));
  }

  /**
   * The path of the value of a key: for {@link Upcall#put(CharSequence, dev.upcall.PutOptions)},
   * {@link Upcall#newByteChannel(CharSequence)} and all else that reads or puts the content of a
   * file, at any door. See {@link StorePath#entry}.
   */
  public StorePath pathOf(K key) {
    return path.entry(bytes(key));
  }

  // ------------------------------------------------------------------ order

  /** The first entry. */
  public Optional<Map.Entry<K, V>> first() {
    return one(Range.all(), Direction.ASCENDING);
  }

  /** The last entry. */
  public Optional<Map.Entry<K, V>> last() {
    return one(Range.all(), Direction.DESCENDING);
  }

  /** The last entry up to a key. */
  public Optional<Map.Entry<K, V>> floor(K key) {
    return one(Range.through(key), Direction.DESCENDING);
  }

  /** The first entry from a key on. */
  public Optional<Map.Entry<K, V>> ceiling(K key) {
    return one(Range.from(key), Direction.ASCENDING);
  }

  /** The last entry before a key. */
  public Optional<Map.Entry<K, V>> lower(K key) {
    return one(Range.below(key), Direction.DESCENDING);
  }

  /** The first entry behind a key. */
  public Optional<Map.Entry<K, V>> higher(K key) {
    return one(Range.above(key), Direction.ASCENDING);
  }

  private Optional<Map.Entry<K, V>> one(Range<K> range, Direction direction) {
    Look.Entries look = new Look.Entries(path, bytes(range), direction, 1);
    while (true) {
      List<TablePage.Entry> found = access.ask(look).entries();
      Optional<Map.Entry<K, V>> entry = found.stream().flatMap(this::decoded).findFirst();
      if (found.isEmpty() || entry.isPresent()) {
        return entry;
      }
    }
  }

  /**
   * The first entries of a range in a direction, all as of one commit. There may be fewer than
   * there are, if they are large: at least one, and about {@link Look.Entries#PAGE_BYTES}.
   *
   * <p>A value of more than {@link TableRequest#MAX_VALUE_BYTES} is read behind that. Of the
   * present state it is the one that its key has by then; an entry that has gone is left out.
   *
   * @param limit how many at most, 1 to {@link Look.Entries#MAX_ENTRIES}
   */
  public List<Map.Entry<K, V>> page(Range<K> range, Direction direction, int limit) {
    return access.ask(new Look.Entries(path, bytes(range), direction, limit)).entries().stream()
        .flatMap(this::decoded)
        .toList();
  }

  /** All entries in ascending order; see {@link #scan(Range, Direction)}. */
  public Stream<Map.Entry<K, V>> scan() {
    return scan(Range.all());
  }

  /** Entries in ascending order; see {@link #scan(Range, Direction)}. */
  public Stream<Map.Entry<K, V>> scan(Range<K> range) {
    return scan(range, Direction.ASCENDING);
  }

  /**
   * Entries in a direction. They come by pages, which are asked for when the stream needs them, and
   * the stream holds nothing open. Each page is as of one commit; all are of the same in a snapshot
   * and, with its own changes, in a transaction. Without one, entries that are there all the time
   * come exactly once. Large values are read as {@link #page} says, when the stream comes to them.
   */
  public Stream<Map.Entry<K, V>> scan(Range<K> range, Direction direction) {
    return access.scan(path, bytes(range), direction).flatMap(this::decoded);
  }

  private KeyRange bytes(Range<K> range) {
    return Objects.requireNonNull(range, "range").of(new Range.Form<>(keys, false));
  }

  private Stream<Map.Entry<K, V>> decoded(TablePage.Entry entry) {
    Optional<byte[]> value =
        entry.isContent() ? access.content(path, entry.key()) : Optional.of(entry.value());
    return value.stream().map(bytes -> Map.entry(keys.decode(entry.key()), values.decode(bytes)));
  }

  // ------------------------------------------------------------------ all

  /**
   * Removes the entries of a range; how many there were. In a transaction all at once. Otherwise in
   * as many commits as it takes, of at most {@value #REMOVED_AT_ONCE} entries: the store's thread
   * does each in one go.
   */
  public long removeRange(Range<K> range) {
    KeyRange bytes = bytes(range);
    int most = REMOVED_AT_ONCE;
    long removed = 0;
    while (true) {
      try {
        BatchResult.Removal removal =
            access
                .change(List.of(new TableRequest.RemoveRange(path, bytes, most)))
                .removals()
                .getFirst();
        removed += removal.entries();
        if (!removal.hasMore()) {
          return removed;
        }
      } catch (UpcallException.TooLarge tooManyForOneCommit) {
        if (most == 1) {
          throw tooManyForOneCommit;
        }
        most /= 2;
      }
    }
  }

  /** How many entries there are: exact, at the same cost whatever the number. */
  public long count() {
    return access.ask(new Look.EntryCount(path));
  }
}
