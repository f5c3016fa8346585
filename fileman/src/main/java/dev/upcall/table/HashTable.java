package dev.upcall.table;

import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A table without order. It is the same structure as a {@link SortedTable}, with 8 bytes of hash
 * before each key: keys that are neighbours in their own order are spread over the table, and there
 * are no ranges. Take it where keys come in an order that would have all writers meet at one place,
 * or where nobody shall rely on an order; otherwise a sorted table has the shorter keys.
 *
 * <p>A key has at most {@link #MAX_KEY_BYTES} bytes; all else is as {@link SortedTable} says.
 * {@link Upcall#hashTable} opens one.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class HashTable<K, V> {
  /** The longest key. */
  public static final int MAX_KEY_BYTES = TableRequest.MAX_KEY_BYTES - Long.BYTES;

  private final SortedTable<K, V> entries;

  private HashTable(SortedTable<K, V> entries) {
    this.entries = entries;
  }

  /** See {@link Upcall#hashTable}. */
  public static <K, V> HashTable<K, V> open(
      Upcall store, CharSequence path, Codec<K> keys, Codec<V> values) {
    Objects.requireNonNull(store, "store");
    Objects.requireNonNull(keys, "keys");
    return new HashTable<>(SortedTable.open(store, path, hashed(keys), values, TableMethod.HASHED));
  }

  /** This table in a transaction: its own changes are seen, and happen with its commit. */
  public HashTable<K, V> in(UpcallTransaction transaction) {
    return new HashTable<>(entries.in(transaction));
  }

  /** This table as of a moment; changes are refused as {@code ReadOnly}. */
  public HashTable<K, V> in(UpcallSnapshot snapshot) {
    return new HashTable<>(entries.in(snapshot));
  }

  /**
   * This table of the store itself; a change of it alone is durable when it returns, or with {@link
   * Durability#ASYNC} soon after.
   */
  public HashTable<K, V> with(Durability durability) {
    return new HashTable<>(entries.with(durability));
  }

  /** Where it is; one that was renamed is opened anew. */
  public StorePath path() {
    return entries.path();
  }

  /** The value of a key, if there is one. */
  public Optional<V> get(K key) {
    return entries.get(key);
  }

  /** Whether a key has a value. */
  public boolean containsKey(K key) {
    return entries.containsKey(key);
  }

  /** Sets the value of a key, whatever is there. */
  public void put(K key, V value) {
    entries.put(key, value);
  }

  /** Sets the value of a key that has none; otherwise gives {@code false} and changes nothing. */
  public boolean putIfAbsent(K key, V value) {
    return entries.putIfAbsent(key, value);
  }

  /** Sets the value of a key that has one; otherwise gives {@code false} and changes nothing. */
  public boolean replace(K key, V value) {
    return entries.replace(key, value);
  }

  /** Sets the value of a key that has this one, by its bytes; otherwise gives {@code false}. */
  public boolean replace(K key, V expected, V value) {
    return entries.replace(key, expected, value);
  }

  /** Removes a key; {@code false} if there is none. */
  public boolean remove(K key) {
    return entries.remove(key);
  }

  /** Removes a key that has this value, by its bytes; otherwise gives {@code false}. */
  public boolean remove(K key, V expected) {
    return entries.remove(key, expected);
  }

  /** As {@link SortedTable#write}. */
  public void write(K key, InputStream content) {
    entries.write(key, content);
  }

  /** As {@link SortedTable#read(Object)}. */
  public Optional<Upcall.ReadStream> read(K key) {
    return entries.read(key);
  }

  /** As {@link SortedTable#read(Object, long, int)}. */
  public Optional<byte[]> read(K key, long offset, int maxBytes) {
    return entries.read(key, offset, maxBytes);
  }

  /** As {@link SortedTable#pathOf}. */
  public StorePath pathOf(K key) {
    return entries.pathOf(key);
  }

  /** All entries, in no order that means anything; as {@link SortedTable#scan()} otherwise. */
  public Stream<Map.Entry<K, V>> scan() {
    return entries.scan();
  }

  /** Removes all entries, as {@link SortedTable#removeRange} does; how many there were. */
  public long clear() {
    return entries.removeRange(Range.all());
  }

  /** How many entries there are: exact, at the same cost whatever the number. */
  public long count() {
    return entries.count();
  }

  private static <K> Codec<K> hashed(Codec<K> keys) {
    return Codecs.of(
        key -> {
          byte[] bytes = keys.encode(key);
          return ByteBuffer.allocate(Long.BYTES + bytes.length)
              .putLong(hash(bytes))
              .put(bytes)
              .array();
        },
        bytes -> keys.decode(Arrays.copyOfRange(bytes, Long.BYTES, bytes.length)));
  }

  /**
   * FNV-1a with the last step of MurmurHash3, because FNV leaves the high bits of short keys alike.
   */
  private static long hash(byte[] bytes) {
    long hash = 0xcbf29ce484222325L;
    for (byte one : bytes) {
      hash = (hash ^ (one & 0xFF)) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
    return hash ^ hash >>> 33;
  }
}
