package dev.upcall.bench.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;

/**
 * SQLite in WAL mode with {@code synchronous=FULL}, the mode in which a commit is durable. It has
 * one writer at a time, whose place other connections poll for; so all threads share one connection
 * behind a lock, which is faster. Each put is a transaction of one prepared statement.
 */
final class SqlitePeer implements DurableStore {
  private final ReentrantLock writing = new ReentrantLock();
  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement select;
  private final PreparedStatement splice;

  SqlitePeer(Path directory) throws IOException {
    try {
      connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("files.db"));
      try (Statement setting = connection.createStatement()) {
        setting.execute("PRAGMA journal_mode=WAL");
        setting.execute("PRAGMA synchronous=FULL");
        setting.execute("CREATE TABLE IF NOT EXISTS files (name TEXT PRIMARY KEY, content BLOB)");
      }
      insert = connection.prepareStatement("INSERT INTO files VALUES (?, ?)");
      select = connection.prepareStatement("SELECT content FROM files WHERE name = ?");
      splice =
          connection.prepareStatement(
              "UPDATE files SET content ="
                  + " CAST(substr(content, 1, ?) || ? || substr(content, ?) AS BLOB)"
                  + " WHERE name = ?");
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void put(String name, byte[] value) throws IOException {
    writing.lock();
    try {
      insert.setString(1, name);
      insert.setBytes(2, value);
      insert.executeUpdate();
    } catch (SQLException failed) {
      throw new IOException(failed);
    } finally {
      writing.unlock();
    }
  }

  @Override
  public byte[] get(String name) throws IOException {
    writing.lock();
    try {
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        return DurableStore.found(name, row.next() ? row.getBytes(1) : null);
      }
    } catch (SQLException failed) {
      throw new IOException(failed);
    } finally {
      writing.unlock();
    }
  }

  /** The value never leaves the library; it has no handle that could move part of one. */
  @Override
  public void insert(String name, int offset, byte[] bytes) throws IOException {
    writing.lock();
    try {
      splice.setInt(1, offset);
      splice.setBytes(2, bytes);
      splice.setInt(3, offset + 1);
      splice.setString(4, name);
      if (splice.executeUpdate() != 1) {
        throw new IOException("nothing under " + name);
      }
    } catch (SQLException failed) {
      throw new IOException(failed);
    } finally {
      writing.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      splice.close();
      insert.close();
      select.close();
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }
}
