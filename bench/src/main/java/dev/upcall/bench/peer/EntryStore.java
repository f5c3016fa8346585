package dev.upcall.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store of entries in the order of their keys' unsigned bytes, as programs use it whose changes
 * must be durable. Any number of threads, unless a method says otherwise.
 */
public interface EntryStore extends AutoCloseable {
  /** A key with its value; nobody changes either. */
  @SuppressWarnings("ArrayRecordComponent") // arrays as all of these stores take them
  record Entry(byte[] key, byte[] value) {}

  /** Is given entries of a scan. */
  @FunctionalInterface
  interface Sink {
    /** One entry, whose arrays are the callee's until it returns. */
    void take(byte[] key, byte[] value);
  }

  /** Sets the value of a key; when it returns, the value survives a loss of power. */
  void put(byte[] key, byte[] value) throws IOException;

  /** Sets many in one commit, durable when it returns. One thread. */
  void putAll(List<Entry> entries) throws IOException;

  /** Sets many in one commit that may become durable with the next {@link #sync}. One thread. */
  default void load(List<Entry> entries) throws IOException {
    putAll(entries);
  }

  /** When it returns, all that was loaded is durable. */
  default void sync() throws IOException {}

  /** The value of a key; null if there is none. The caller does not change it. */
  byte @Nullable [] get(byte[] key) throws IOException;

  /** Gives entries in ascending order from a key on, and says how many it gave, at most so many. */
  int scan(byte[] from, int most, Sink sink) throws IOException;

  @Override
  void close() throws IOException;

  /**
   * The resources of one store.
   *
   * @param directory of its files, made when it is not there
   * @param memoryBytes of its cache; what else it has in memory is its own business
   * @param threads that will call at once
   */
  record Room(Path directory, long memoryBytes, int threads) {}

  /**
   * Opens one, or makes it.
   *
   * @param kind {@code rocksdb}, {@code mvstore}, {@code sqlite}, {@code tupl} or {@code lmdb}
   */
  static EntryStore open(String kind, Room room) throws IOException {
    Files.createDirectories(room.directory());
    return switch (kind) {
      case "rocksdb" -> new RocksDbEntries(room);
      case "mvstore" -> new MvStoreEntries(room);
      case "sqlite" -> new SqliteEntries(room);
      case "tupl" -> new TuplEntries(room);
      case "lmdb" -> new LmdbEntries(room);
      default -> throw new IllegalArgumentException("no such store: " + kind);
    };
  }
}
