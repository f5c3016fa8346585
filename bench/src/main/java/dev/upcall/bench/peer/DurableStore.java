package dev.upcall.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A store of values under names, in which each put is a durable commit of its own. Any number of
 * threads.
 */
public interface DurableStore extends AutoCloseable {
  /**
   * Stores a value under a name, a new one in SQLite and PostgreSQL; when it returns, the value
   * survives a loss of power.
   */
  void put(String name, byte[] value) throws IOException;

  /** The value under a name that is there; the caller does not change it. */
  byte[] get(String name) throws IOException;

  /**
   * Puts bytes before what is at an offset of a value that is there; durable when it returns. Whole
   * values are read and written, unless the store offers more. One thread.
   */
  default void insert(String name, int offset, byte[] bytes) throws IOException {
    byte[] before = get(name);
    byte[] after = new byte[before.length + bytes.length];
    System.arraycopy(before, 0, after, 0, offset);
    System.arraycopy(bytes, 0, after, offset, bytes.length);
    System.arraycopy(before, offset, after, offset + bytes.length, before.length - offset);
    put(name, after);
  }

  @Override
  void close() throws IOException;

  /**
   * Opens one, or makes it.
   *
   * @param kind {@code rocksdb}, {@code rocksdb-blobs}, {@code mvstore}, {@code sqlite}, {@code
   *     tupl}, {@code lmdb}, {@code je}, or {@code postgres}: one connection, with {@code -objects}
   *     or {@code -bytea} behind it one for each thread
   * @param directory of its files, made when it is not there
   * @throws dev.upcall.bench.host.MissingPeerException as {@link #require}
   */
  static DurableStore open(String kind, Path directory) throws IOException {
    Files.createDirectories(directory);
    return switch (kind) {
      case "rocksdb" -> new RocksDbPeer(directory, /* blobs= */ false);
      case "rocksdb-blobs" -> new RocksDbPeer(directory, /* blobs= */ true);
      case "mvstore" -> new MvStorePeer(directory);
      case "sqlite" -> new SqlitePeer(directory);
      case "tupl" -> new TuplPeer(directory);
      case "lmdb" -> new LmdbPeer(directory);
      case "je" -> new JePeer(directory);
      case "postgres" -> new PostgresPeer(directory);
      case "postgres-objects" -> new PostgresValues(directory, PostgresValues.Form.OBJECT);
      case "postgres-bytea" -> new PostgresValues(directory, PostgresValues.Form.BYTEA);
      default -> throw new IllegalArgumentException("no such store: " + kind);
    };
  }

  /**
   * Looks whether a kind can be opened on this machine; most are libraries, which can.
   *
   * @param directory in which its own would be made
   * @throws dev.upcall.bench.host.MissingPeerException when a program that it needs is not here
   */
  static void require(String kind, Path directory) throws IOException {
    if (kind.startsWith("postgres")) {
      PostgresPrograms.find().checkWayTo(directory);
    }
  }

  /** What was found under a name that must be there. */
  static byte[] found(String name, byte @Nullable [] value) throws IOException {
    if (value == null) {
      throw new IOException("nothing under " + name);
    }
    return value;
  }
}
