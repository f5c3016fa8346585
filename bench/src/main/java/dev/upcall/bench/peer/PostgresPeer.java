package dev.upcall.bench.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;

/**
 * PostgreSQL, each value a large object, with a server of its own ({@link PostgresServer}). Values
 * are read and written by the functions that its chapter on large objects has for the server's
 * side: an insert has the server take the tail ({@code lo_get}), put it further behind ({@code
 * lo_put}) and put the new bytes before it, in one transaction, and the tail never crosses the
 * connection. All threads share one connection behind a lock: comparisons have one thread.
 */
final class PostgresPeer implements DurableStore {
  private final ReentrantLock lock = new ReentrantLock();
  private final PostgresServer server;
  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement select;
  private final PreparedStatement moveTail;
  private final PreparedStatement overwrite;

  PostgresPeer(Path directory) throws IOException {
    server = PostgresServer.start(directory);
    try {
      connection = server.connect();
      try (Statement making = connection.createStatement()) {
        making.execute("CREATE TABLE IF NOT EXISTS files (name text PRIMARY KEY, content oid)");
      }
      connection.setAutoCommit(false);
      insert = connection.prepareStatement("INSERT INTO files VALUES (?, lo_from_bytea(0, ?))");
      select = connection.prepareStatement("SELECT lo_get(content) FROM files WHERE name = ?");
      moveTail =
          connection.prepareStatement(
              "SELECT lo_put(content, ?, lo_get(content, ?, ?)) FROM files WHERE name = ?");
      overwrite =
          connection.prepareStatement("SELECT lo_put(content, ?, ?) FROM files WHERE name = ?");
    } catch (SQLException failed) {
      try (server) {
        throw new IOException(failed);
      }
    }
  }

  /** Some of the statements of a transaction. */
  private interface Work<T> {
    T run() throws SQLException, IOException;
  }

  private <T> T transact(Work<T> work) throws IOException {
    lock.lock();
    try {
      T made = work.run();
      connection.commit();
      return made;
    } catch (SQLException failed) {
      throw rolledBack(new IOException(failed));
    } catch (IOException failed) {
      throw rolledBack(failed);
    } finally {
      lock.unlock();
    }
  }

  private IOException rolledBack(IOException why) {
    try {
      connection.rollback();
    } catch (SQLException failed) {
      why.addSuppressed(failed);
    }
    return why;
  }

  @Override
  public void put(String name, byte[] value) throws IOException {
    transact(
        () -> {
          insert.setString(1, name);
          insert.setBytes(2, value);
          return insert.executeUpdate();
        });
  }

  @Override
  public byte[] get(String name) throws IOException {
    return transact(
        () -> {
          select.setString(1, name);
          try (ResultSet row = select.executeQuery()) {
            return DurableStore.found(name, row.next() ? row.getBytes(1) : null);
          }
        });
  }

  @Override
  public void insert(String name, int offset, byte[] bytes) throws IOException {
    transact(
        () -> {
          moveTail.setLong(1, (long) offset + bytes.length);
          moveTail.setLong(2, offset);
          moveTail.setInt(3, Integer.MAX_VALUE);
          moveTail.setString(4, name);
          onTheValue(moveTail, name);
          overwrite.setLong(1, offset);
          overwrite.setBytes(2, bytes);
          overwrite.setString(3, name);
          onTheValue(overwrite, name);
          return bytes.length;
        });
  }

  private static void onTheValue(PreparedStatement statement, String name)
      throws SQLException, IOException {
    try (ResultSet row = statement.executeQuery()) {
      if (!row.next()) {
        throw new IOException("nothing under " + name);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (server) {
      connection.close();
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }
}
