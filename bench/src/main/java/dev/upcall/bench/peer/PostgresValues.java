package dev.upcall.bench.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * PostgreSQL with a connection for each thread, as its clients have them: a put is a transaction of
 * one statement, and the server joins the syncs of those that commit at once. Values are of type
 * {@code bytea}, or large objects.
 */
final class PostgresValues implements DurableStore {
  private final PostgresServer server;
  private final Form form;
  private final Map<Thread, Client> clients = new ConcurrentHashMap<>();

  /** How values are kept. */
  enum Form {
    /** In the row, cut up beside it when it is large; never compressed, as it cannot be. */
    BYTEA("bytea", "?", "content"),
    /** Beside the row, by number. */
    OBJECT("oid", "lo_from_bytea(0, ?)", "lo_get(content)");

    private final String type;
    private final String given;
    private final String taken;

    Form(String type, String given, String taken) {
      this.type = type;
      this.given = given;
      this.taken = taken;
    }
  }

  /** The connection of one thread. */
  private record Client(
      Connection connection, PreparedStatement insert, PreparedStatement select) {}

  PostgresValues(Path directory, Form form) throws IOException {
    this.form = form;
    server = PostgresServer.start(directory);
    try (Connection making = server.connect();
        Statement statement = making.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS files (name text PRIMARY KEY, content %s)"
              .formatted(form.type));
      if (form == Form.BYTEA) {
        statement.execute("ALTER TABLE files ALTER content SET STORAGE EXTERNAL");
      }
    } catch (SQLException failed) {
      try (server) {
        throw new IOException(failed);
      }
    }
  }

  private Client client() throws SQLException {
    Client known = clients.get(Thread.currentThread());
    if (known == null) {
      Connection connection = server.connect();
      known =
          new Client(
              connection,
              connection.prepareStatement("INSERT INTO files VALUES (?, %s)".formatted(form.given)),
              connection.prepareStatement(
                  "SELECT %s FROM files WHERE name = ?".formatted(form.taken)));
      clients.put(Thread.currentThread(), known);
    }
    return known;
  }

  @Override
  public void put(String name, byte[] value) throws IOException {
    try {
      PreparedStatement insert = client().insert;
      insert.setString(1, name);
      insert.setBytes(2, value);
      insert.executeUpdate();
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public byte[] get(String name) throws IOException {
    try {
      PreparedStatement select = client().select;
      select.setString(1, name);
      try (ResultSet row = select.executeQuery()) {
        return DurableStore.found(name, row.next() ? row.getBytes(1) : null);
      }
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }

  @Override
  public void close() throws IOException {
    try (server) {
      for (Client client : clients.values()) {
        client.connection.close();
      }
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }
}
