package dev.upcall.table;

import dev.upcall.Parents;
import dev.upcall.StorePath;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.TablePage;
import dev.upcall.request.TableRequest;
import dev.upcall.txn.TableEntries;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;

/**
 * A table that a function of the records fills, so that they are found by what it gives. {@link
 * Records} change it in the commit that changes a record. It is a value, and is used for one table
 * of records.
 *
 * <pre>{@code
 * Index<String, Integer> byLength =
 *     Index.of("/letters-by-length", Codecs.INT, String::length);
 * }</pre>
 *
 * @param path where its table is, which nobody else changes
 * @param keys how its keys are bytes; of an index that is not unique a key has 8 bytes less, and is
 *     as the first component of a pair
 * @param function called on the caller's thread; gives the same for the same record at all times
 * @param isUnique whether two records with one key are refused, as {@code AlreadyExists}
 * @param <R> the records
 * @param <K> the keys
 */
public record Index<R, K>(
    StorePath path, Codec<K> keys, Function<? super R, ? extends K> function, boolean isUnique) {
  private static final byte[] NOTHING = {};

  /** Checks that nothing is missing. */
  public Index {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(keys, "keys");
    Objects.requireNonNull(function, "function");
  }

  /** By which several records may be found. */
  public static <R, K> Index<R, K> of(
      CharSequence path, Codec<K> keys, Function<? super R, ? extends K> function) {
    return new Index<>(parsed(path), keys, function, false);
  }

  /** By which at most one record is found. */
  public static <R, K> Index<R, K> unique(
      CharSequence path, Codec<K> keys, Function<? super R, ? extends K> function) {
    return new Index<>(parsed(path), keys, function, true);
  }

  private static StorePath parsed(CharSequence path) {
    return UpcallException.value(StorePath.parse(Objects.requireNonNull(path, "path")));
  }

  /**
   * How the entry of a record begins, or all of it if the index is unique.
   *
   * @throws dev.upcall.UpcallException {@code Invalid} for what the function throws, and for keys
   *     that no entry can have
   */
  byte[] begin(R record) {
    byte[] begin =
        form()
            .start(
                Guarded.run(
                    () -> "the function of the index %s fails".formatted(path),
                    () -> Objects.requireNonNull(function.apply(record), "function")));
    Failure refused = TableEntries.refusesKey("the key for the index " + path, key(begin, 0));
    if (refused != null) {
      throw UpcallException.of(refused);
    }
    return begin;
  }

  /** How keys stand in the table. */
  Range.Form<K> form() {
    return new Range.Form<>(new Guarded<>(keys, path, "keys"), !isUnique);
  }

  /** Puts the entry of a record. */
  TableRequest put(byte[] begin, long id) {
    return isUnique
        ? new TableRequest.PutEntry(path, begin, Records.ID.encode(id), Expect.ABSENT)
        : new TableRequest.PutEntry(path, key(begin, id), NOTHING, Expect.ANY);
  }

  /** Removes the entry of a record. */
  TableRequest remove(byte[] begin, long id) {
    return new TableRequest.RemoveEntry(path, key(begin, id), Expect.ANY);
  }

  /** Whether an entry is that of a record. */
  boolean has(TablePage.Entry entry, R record, long id) {
    return Arrays.equals(entry.key(), key(begin(record), id));
  }

  /** Makes the table, where nothing is. */
  FileRequest create() {
    return Access.create(path, TableMethod.INDEX, Parents.MUST_EXIST);
  }

  /** The id that an entry has. */
  long id(TablePage.Entry entry) {
    byte[] key = entry.key();
    return Records.ID.decode(
        isUnique ? entry.value() : Arrays.copyOfRange(key, key.length - Long.BYTES, key.length));
  }

  /** Those with a key. */
  KeyRange of(K key) {
    return isUnique
        ? Range.from(key).and(Range.through(key)).of(form())
        : KeyRange.prefix(form().start(key));
  }

  private byte[] key(byte[] begin, long id) {
    return isUnique ? begin : Components.joined(begin, Records.ID.encode(id));
  }
}
