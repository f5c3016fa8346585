package dev.upcall.bench.tpcc;

import dev.upcall.bench.tpcc.Rows.History;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * SQLite in WAL mode with {@code synchronous=FULL}: tables clustered by their keys, payments with a
 * number and an index. It has one writer at a time, so all transactions take turns on one
 * connection, the few that only read, too.
 */
final class SqliteDatabase implements Database {
  private final ReentrantLock turn = new ReentrantLock();
  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  SqliteDatabase(Path directory, long memoryBytes) throws IOException {
    try {
      connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("tpcc.db"));
      try (Statement setting = connection.createStatement()) {
        setting.execute("PRAGMA journal_mode=WAL");
        setting.execute("PRAGMA synchronous=FULL");
        setting.execute("PRAGMA cache_size=-" + (memoryBytes >> 10));
        for (Table table : Table.values()) {
          setting.execute(
              "CREATE TABLE IF NOT EXISTS "
                  + table
                  + " (k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID");
        }
        setting.execute(
            "CREATE TABLE IF NOT EXISTS HISTORY (id INTEGER PRIMARY KEY, k BLOB, v BLOB)");
        setting.execute("CREATE INDEX IF NOT EXISTS HISTORY_BY_CUSTOMER ON HISTORY (k)");
      }
      connection.setAutoCommit(false);
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }

  private interface Sql<T> {
    T run() throws SQLException;
  }

  private static <T> T checked(Sql<T> sql) {
    try {
      return sql.run();
    } catch (SQLException failed) {
      throw new UncheckedIOException(new IOException(failed));
    }
  }

  /** An empty value comes as none. */
  private static byte[] bytes(ResultSet row, int column) throws SQLException {
    byte[] bytes = row.getBytes(column);
    return bytes == null ? new byte[0] : bytes;
  }

  private PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement found = statements.get(sql);
    if (found == null) {
      found = connection.prepareStatement(sql);
      statements.put(sql, found);
    }
    return found;
  }

  @Override
  public void load(List<Row> rows) {
    transact(
        work -> {
          rows.forEach(row -> work.put(row.table(), row.key(), row.value()));
          return rows;
        });
  }

  @Override
  public void loadHistory(List<History> payments) {
    transact(
        work -> {
          payments.forEach(work::append);
          return payments;
        });
  }

  @Override
  public void sync() {
    // Each commit is durable.
  }

  @Override
  public <T> T transact(Function<Work, T> work) {
    turn.lock();
    boolean isDone = false;
    try {
      T result = work.apply(new Inside());
      checked(
          () -> {
            connection.commit();
            return true;
          });
      isDone = true;
      return result;
    } finally {
      if (!isDone) {
        checked(
            () -> {
              connection.rollback();
              return true;
            });
      }
      turn.unlock();
    }
  }

  @Override
  public long payments() {
    return transact(
        _ ->
            checked(
                () -> {
                  try (ResultSet row = statement("SELECT count(*) FROM HISTORY").executeQuery()) {
                    return row.getLong(1);
                  }
                }));
  }

  private final class Inside implements Work {
    @Override
    public byte @Nullable [] get(Table table, byte[] key) {
      List<byte[]> found =
          checked(
              () -> {
                PreparedStatement select = statement("SELECT v FROM " + table + " WHERE k = ?");
                select.setBytes(1, key);
                try (ResultSet row = select.executeQuery()) {
                  return row.next() ? List.of(bytes(row, 1)) : List.of();
                }
              });
      return found.isEmpty() ? null : found.getFirst();
    }

    @Override
    public byte @Nullable [] getForUpdate(Table table, byte[] key) {
      return get(table, key);
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
      change(
          "INSERT INTO " + table + " VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v",
          key,
          value);
    }

    @Override
    public void remove(Table table, byte[] key) {
      change("DELETE FROM " + table + " WHERE k = ?", key);
    }

    @Override
    public void append(History payment) {
      change(
          "INSERT INTO HISTORY (k, v) VALUES (?, ?)",
          payment.customer(),
          History.CODEC.encode(payment));
    }

    private void change(String sql, byte[]... values) {
      int changed =
          checked(
              () -> {
                PreparedStatement change = statement(sql);
                for (int i = 0; i < values.length; i++) {
                  change.setBytes(i + 1, values[i]);
                }
                return change.executeUpdate();
              });
      if (changed != 1) {
        throw new IllegalStateException(changed + " rows changed by " + sql);
      }
    }

    @Override
    public List<Map.Entry<byte[], byte[]>> page(
        Table table, byte[] prefix, boolean isDescending, int limit) {
      byte[] last = Arrays.copyOf(prefix, prefix.length + Integer.BYTES);
      Arrays.fill(last, prefix.length, last.length, (byte) 0xFF);
      String order = isDescending ? " ORDER BY k DESC" : " ORDER BY k";
      return checked(
          () -> {
            PreparedStatement select =
                statement(
                    "SELECT k, v FROM "
                        + table
                        + " WHERE k BETWEEN ? AND ?"
                        + order
                        + " LIMIT "
                        + limit);
            select.setBytes(1, prefix);
            select.setBytes(2, last);
            List<Map.Entry<byte[], byte[]>> page = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
              while (rows.next()) {
                page.add(Map.entry(rows.getBytes(1), bytes(rows, 2)));
              }
            }
            return page;
          });
    }

    @Override
    public List<History> payments(byte[] customer) {
      return checked(
          () -> {
            PreparedStatement select = statement("SELECT v FROM HISTORY WHERE k = ?");
            select.setBytes(1, customer);
            List<History> payments = new ArrayList<>();
            try (ResultSet rows = select.executeQuery()) {
              while (rows.next()) {
                payments.add(History.CODEC.decode(rows.getBytes(1)));
              }
            }
            return payments;
          });
    }
  }

  @Override
  public void close() throws IOException {
    try (connection) {
      for (PreparedStatement statement : statements.values()) {
        statement.close();
      }
    } catch (SQLException failed) {
      throw new IOException(failed);
    }
  }
}
