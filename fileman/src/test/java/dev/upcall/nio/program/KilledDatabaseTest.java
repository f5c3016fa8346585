package dev.upcall.nio.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process with an H2 database in a store is killed by SIGKILL, again and again: what H2 said to
 * be committed, and had forced, is there, in whole transactions.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledDatabaseTest {
  private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(32L << 20);
  private static final int ROWS = 5;

  /** H2 forces when it says so: by itself it writes some time after a commit. */
  private static final String URL = "jdbc:h2:upcall:/db;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";

  @TempDir Path folder;

  @Test
  void aDatabaseInAStore() throws Exception {
    try (Upcall store = Upcall.create(folder.resolve("v.upcall"), CONFIG)) {
      in(store, database -> insert(database, 0));
      in(store, database -> assertEquals(1, transactions(database)));
      assertTrue(store.exists("/db.mv.db"), "it is in the store");
    }
  }

  @Test
  @Tag("long")
  void whatH2CommittedIsThereAfterManyKills() throws Exception {
    Random random = new Random(41);
    KilledChild child = new KilledChild(Child.class, folder);
    int before = 0;
    for (int round = 0; round < 6; round++) {
      int committed = child.killedAfter(2 + random.nextInt(40));
      String where = "seed 41, round " + round;
      assertTrue(committed > before, where + ": nothing was committed");
      try (Upcall store = Upcall.open(child.volume(), CONFIG)) {
        in(
            store,
            database -> {
              int found = transactions(database);
              assertTrue(found >= committed, where + ": " + found + " of " + committed);
            });
      }
      before = committed;
    }
  }

  private interface Work {
    void with(Connection database) throws SQLException;
  }

  private static void in(Upcall store, Work work) throws SQLException {
    PathOfH2 root = new PathOfH2(store.fileSystem());
    FilePath.register(root);
    try (Connection database = DriverManager.getConnection(URL)) {
      try (Statement statement = database.createStatement()) {
        statement.execute(
            "CREATE TABLE IF NOT EXISTS lines(transaction INT, number INT, text VARCHAR)");
      }
      database.setAutoCommit(false);
      work.with(database);
    } finally {
      FilePath.unregister(root);
    }
  }

  private static void insert(Connection database, int transaction) throws SQLException {
    try (PreparedStatement row = database.prepareStatement("INSERT INTO lines VALUES(?, ?, ?)")) {
      for (int number = 0; number < ROWS; number++) {
        row.setInt(1, transaction);
        row.setInt(2, number);
        row.setString(3, "some text of row " + number);
        row.addBatch();
      }
      row.executeBatch();
    }
    database.commit();
    try (Statement statement = database.createStatement()) {
      statement.execute("CHECKPOINT SYNC");
    }
  }

  /** How many there are, all of them whole. */
  private static int transactions(Connection database) throws SQLException {
    try (Statement statement = database.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT COUNT(*), COUNT(DISTINCT transaction), MAX(transaction) FROM lines")) {
      assertTrue(found.next());
      int transactions = found.getInt(2);
      assertEquals(transactions * ROWS, found.getInt(1), "half a transaction");
      assertEquals(transactions, found.getInt(3) + (transactions == 0 ? 0 : 1), "one is missing");
      return transactions;
    }
  }

  /** Commits until it is killed; says after each how many there are. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws SQLException {
      try (Upcall store = Upcall.openOrCreate(Path.of(arguments[0]), CONFIG)) {
        in(
            store,
            database -> {
              for (int next = transactions(database); ; next++) {
                insert(database, next);
                System.out.println(next + 1);
              }
            });
      }
    }
  }
}
