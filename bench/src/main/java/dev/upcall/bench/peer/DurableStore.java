package dev.upcall.bench.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A store of values under names, in which each put is a durable commit of its own. */
public interface DurableStore extends AutoCloseable {
  /** Stores a value under a new name; when it returns, the value survives a loss of power. */
  void put(String name, byte[] value) throws IOException;

  @Override
  void close() throws IOException;

  /**
   * Opens a new one.
   *
   * @param kind {@code rocksdb}, {@code mvstore}, {@code sqlite} or {@code tupl}
   * @param directory of its files, made here
   */
  static DurableStore open(String kind, Path directory) throws IOException {
    Files.createDirectories(directory);
    return switch (kind) {
      case "rocksdb" -> new RocksDbPeer(directory);
      case "mvstore" -> new MvStorePeer(directory);
      case "sqlite" -> new SqlitePeer(directory);
      case "tupl" -> new TuplPeer(directory);
      default -> throw new IllegalArgumentException("no such store: " + kind);
    };
  }
}
