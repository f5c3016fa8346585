package dev.upcall.bench.tpcc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store with transactions, as the program of TPC-C sees it. Any number of threads. */
interface Database extends AutoCloseable {
  /** A row to be loaded. */
  @SuppressWarnings("ArrayRecordComponent") // arrays as all of these stores take them
  record Row(Table table, byte[] key, byte[] value) {}

  /** The work of one transaction. One thread. */
  interface Work {
    /** A value; null if there is none. */
    byte @Nullable [] get(Table table, byte[] key);

    /** The same, of a row that is changed next: nobody else changes it before the commit. */
    byte @Nullable [] getForUpdate(Table table, byte[] key);

    /** Sets a value. */
    void put(Table table, byte[] key, byte[] value);

    /** Removes a row that is there. */
    void remove(Table table, byte[] key);

    /** The first or last of the rows whose keys begin with these bytes, in that order. */
    List<Map.Entry<byte[], byte[]>> page(
        Table table, byte[] prefix, boolean isDescending, int limit);

    /** All rows whose keys begin with these bytes, in ascending order. */
    default List<Map.Entry<byte[], byte[]>> all(Table table, byte[] prefix) {
      return page(table, prefix, /* isDescending= */ false, Integer.MAX_VALUE);
    }

    /** Adds a payment. */
    void append(Rows.History payment);

    /** All payments of a customer, by an index. */
    List<Rows.History> payments(byte[] customer);
  }

  /** Brings rows in; durable after the next {@link #sync}. */
  void load(List<Row> rows);

  /** The same of payments. */
  void loadHistory(List<Rows.History> payments);

  /** All that was loaded is durable. */
  void sync();

  /**
   * Does it all or not at all, again when somebody else was quicker; durable when it returns. An
   * exception of the work undoes it and is thrown on.
   */
  <T> T transact(Function<Work, T> work);

  /** As {@link #transact}, for work that changes nothing. */
  default <T> T look(Function<Work, T> work) {
    return transact(work);
  }

  /** How many payments there are. */
  long payments();

  @Override
  void close() throws IOException;

  /**
   * Opens one, or makes it.
   *
   * @param kind {@code upcall}, {@code sqlite} or {@code mvstore}
   */
  static Database open(String kind, Path directory, long memoryBytes) throws IOException {
    Files.createDirectories(directory);
    return switch (kind) {
      case "upcall" -> new UpcallDatabase(directory, memoryBytes);
      case "sqlite" -> new SqliteDatabase(directory, memoryBytes);
      case "mvstore" -> new MvStoreDatabase(directory, memoryBytes);
      default -> throw new IllegalArgumentException("no such store: " + kind);
    };
  }
}
