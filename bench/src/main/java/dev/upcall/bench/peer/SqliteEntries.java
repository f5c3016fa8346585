package dev.upcall.bench.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * SQLite in WAL mode with {@code synchronous=FULL}, one connection behind a lock for all who write
 * (as {@link SqlitePeer}), and one for each thread that reads, since these do not wait for anybody
 * in that mode. The table is clustered by its key ({@code WITHOUT ROWID}), as its page recommends
 * for rows without a number of their own. The cache is shared out among the connections.
 */
final class SqliteEntries implements EntryStore {
  private static final int KIB = 1 << 10;

  private final ReentrantLock writing = new ReentrantLock();
  private final Connection connection;
  private final PreparedStatement put;
  private final BlockingQueue<Reader> readers;

  SqliteEntries(Room room) throws IOException {
    Path file = room.directory().resolve("entries.db");
    long cacheKib = Math.max(KIB, room.memoryBytes() / KIB / (room.threads() + 1));
    readers = new ArrayBlockingQueue<>(room.threads());
    try {
      connection = open(file, cacheKib);
      try (Statement table = connection.createStatement()) {
        table.execute(
            "CREATE TABLE IF NOT EXISTS entries (k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID");
      }
      put =
          connection.prepareStatement(
              "INSERT INTO entries VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v");
      for (int i = 0; i < room.threads(); i++) {
        readers.add(new Reader(open(file, cacheKib)));
      }
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }

  private static Connection open(Path file, long cacheKib) throws SQLException {
    Connection opened = DriverManager.getConnection("jdbc:sqlite:" + file);
    try (Statement setting = opened.createStatement()) {
      setting.execute("PRAGMA journal_mode=WAL");
      setting.execute("PRAGMA synchronous=FULL");
      setting.execute("PRAGMA cache_size=-" + cacheKib);
    }
    return opened;
  }

  @Override
  public void put(byte[] key, byte[] value) throws IOException {
    writing.lock();
    try {
      execute(key, value);
    } catch (SQLException failed) {
      throw new IOException(failed);
    } finally {
      writing.unlock();
    }
  }

  private void execute(byte[] key, byte[] value) throws SQLException {
    put.setBytes(1, key);
    put.setBytes(2, value);
    put.executeUpdate();
  }

  @Override
  public void putAll(List<Entry> entries) throws IOException {
    writing.lock();
    try {
      connection.setAutoCommit(false);
      for (Entry entry : entries) {
        execute(entry.key(), entry.value());
      }
      connection.commit();
      connection.setAutoCommit(true);
    } catch (SQLException failed) {
      throw new IOException(failed);
    } finally {
      writing.unlock();
    }
  }

  @Override
  public byte @Nullable [] get(byte[] key) throws IOException {
    Reader reader = take();
    try {
      return reader.get(key);
    } catch (SQLException failed) {
      throw new IOException(failed);
    } finally {
      readers.add(reader);
    }
  }

  @Override
  public int scan(byte[] from, int most, Sink sink) throws IOException {
    Reader reader = take();
    try {
      return reader.scan(from, most, sink);
    } catch (SQLException failed) {
      throw new IOException(failed);
    } finally {
      readers.add(reader);
    }
  }

  private Reader take() throws IOException {
    try {
      return readers.take();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      throw new IOException(ended);
    }
  }

  /** A connection that only reads. One thread at a time. */
  private static final class Reader implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement select;
    private final PreparedStatement range;

    private Reader(Connection connection) throws SQLException {
      this.connection = connection;
      select = connection.prepareStatement("SELECT v FROM entries WHERE k = ?");
      range =
          connection.prepareStatement("SELECT k, v FROM entries WHERE k >= ? ORDER BY k LIMIT ?");
    }

    private byte @Nullable [] get(byte[] key) throws SQLException {
      select.setBytes(1, key);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getBytes(1) : null;
      }
    }

    private int scan(byte[] from, int most, Sink sink) throws SQLException {
      range.setBytes(1, from);
      range.setInt(2, most);
      int given = 0;
      try (ResultSet rows = range.executeQuery()) {
        while (rows.next()) {
          sink.take(rows.getBytes(1), rows.getBytes(2));
          given++;
        }
      }
      return given;
    }

    @Override
    public void close() throws SQLException {
      select.close();
      range.close();
      connection.close();
    }
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      put.close();
      for (Reader reader : readers) {
        reader.close();
      }
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }
}
