package dev.upcall.table;

import dev.upcall.BatchResult;
import dev.upcall.Listing.Direction;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.request.Expect;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
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
 * <p>A key has 1 to {@link TableRequest#MAX_KEY_BYTES} bytes, a value at most {@link
 * TableRequest#MAX_VALUE_BYTES}: {@code TooLarge} or {@code Invalid} otherwise, on the caller's
 * thread, before anything is asked. {@code Invalid} is also what a codec refuses. Other failures
 * are those of {@link TableRequest}: {@code NotFound} when the table was deleted.
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
    return access.ask(new Look.Entry(path, bytes(key))).map(values::decode);
  }

  /** Whether a key has a value. */
  public boolean containsKey(K key) {
    return access.ask(new Look.Entry(path, bytes(key))).isPresent();
  }

  /** Sets the value of a key, whatever is there. */
  public void put(K key, V value) {
    access.change(put(key, value, Expect.ANY));
  }

  /** Sets the value of a key that has none; otherwise gives {@code false} and changes nothing. */
  public boolean putIfAbsent(K key, V value) {
    TableRequest request = put(key, value, Expect.ABSENT);
    try {
      access.change(request);
      return true;
    } catch (UpcallException.AlreadyExists taken) {
      return false;
    }
  }

  /** Sets the value of a key that has one; otherwise gives {@code false} and changes nothing. */
  public boolean replace(K key, V value) {
    return ifPresent(put(key, value, Expect.PRESENT));
  }

  /** Sets the value of a key that has this one, by its bytes; otherwise gives {@code false}. */
  public boolean replace(K key, V expected, V value) {
    return ifEqual(put(key, value, Expect.value(bytes(expected, "expected"))));
  }

  /** Removes a key; {@code false} if there is none. */
  public boolean remove(K key) {
    return ifPresent(new TableRequest.RemoveEntry(path, bytes(key), Expect.PRESENT));
  }

  /** Removes a key that has this value, by its bytes; otherwise gives {@code false}. */
  public boolean remove(K key, V expected) {
    return ifEqual(
        new TableRequest.RemoveEntry(path, bytes(key), Expect.value(bytes(expected, "expected"))));
  }

  private byte[] bytes(K key) {
    return keys.encode(Objects.requireNonNull(key, "key"));
  }

  private byte[] bytes(V value, String argument) {
    return values.encode(Objects.requireNonNull(value, argument));
  }

  private TableRequest put(K key, V value, Expect expect) {
    return new TableRequest.PutEntry(path, bytes(key), bytes(value, "value"), expect);
  }

  private boolean ifPresent(TableRequest request) {
    try {
      access.change(request);
      return true;
    } catch (UpcallException.NotFound none) {
      count(); // fails as this did if it is the table that is not there
      return false;
    }
  }

  private boolean ifEqual(TableRequest request) {
    try {
      access.change(request);
      return true;
    } catch (UpcallException.VersionMismatch other) {
      return false;
    }
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
    return page(range, direction, 1).stream().findFirst();
  }

  /**
   * The first entries of a range in a direction, all as of one commit. There may be fewer than
   * there are, if they are large: at least one, and about {@link Look.Entries#PAGE_BYTES}.
   *
   * @param limit how many at most, 1 to {@link Look.Entries#MAX_ENTRIES}
   */
  public List<Map.Entry<K, V>> page(Range<K> range, Direction direction, int limit) {
    return access.ask(new Look.Entries(path, bytes(range), direction, limit)).entries().stream()
        .map(this::decoded)
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
   * come exactly once.
   */
  public Stream<Map.Entry<K, V>> scan(Range<K> range, Direction direction) {
    return access.scan(path, bytes(range), direction).map(this::decoded);
  }

  private KeyRange bytes(Range<K> range) {
    return Objects.requireNonNull(range, "range").of(new Range.Form<>(keys, false));
  }

  private Map.Entry<K, V> decoded(TablePage.Entry entry) {
    return Map.entry(keys.decode(entry.key()), values.decode(entry.value()));
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
