package dev.upcall.bench.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.job.ThreadedLoop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program of TPC-C leaves its tables consistent on each store, and the judge can fail. */
class TpccTest {
  private static final long MEMORY_BYTES = 8L << 20;
  private static final int STEPS = 300;
  private static final Scale SCALE = new Scale(2, 10, 40);
  private static final Terminal.Acks UNHEARD =
      new Terminal.Acks() {
        @Override
        public void ordered(int warehouse, int district, int order) {}

        @Override
        public void paid() {}
      };

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"upcall", "sqlite", "mvstore"})
  void terminalsAtOnceLeaveItConsistent(String store) throws Exception {
    try (Database database = Database.open(store, folder, MEMORY_BYTES)) {
      new Population(database, SCALE).load();
      assertEquals(List.of(), Conditions.broken(database, SCALE));
      List<Terminal> terminals = new ArrayList<>();
      for (int number = 0; number < 4; number++) {
        terminals.add(new Terminal(database, SCALE, number, number, UNHEARD));
      }
      try (ThreadedLoop threads = ThreadedLoop.platform(terminals.size())) {
        threads.runSteps(STEPS, thread -> terminals.get(thread)::step);
      }
      assertTrue(terminals.stream().mapToLong(Terminal::newOrders).sum() > STEPS / 5);
    }
    try (Database database = Database.open(store, folder, MEMORY_BYTES)) {
      assertEquals(List.of(), Conditions.broken(database, SCALE));
    }
  }

  /** One row each that the program would never leave. */
  @Test
  void theConditionsNoticeWhatIsWrong() throws Exception {
    try (Database database = Database.open("upcall", folder, MEMORY_BYTES)) {
      Scale scale = Scale.tiny();
      new Population(database, scale).load();
      int last = scale.customers();
      byte[] district = Rows.key(1, 3);
      byte[] districtRow = database.look(work -> work.get(Table.DISTRICT, district));
      change(database, Table.DISTRICT, district, paid(districtRow));
      assertBroken(database, scale, "1: ", "9: ");
      change(database, Table.DISTRICT, district, ordered(districtRow));
      assertBroken(database, scale, "2: ");
      change(database, Table.DISTRICT, district, districtRow);
      remove(database, Table.NEW_ORDER, Rows.key(1, 3, last - 1));
      assertBroken(database, scale, "3: ", "5: ");
      change(database, Table.NEW_ORDER, Rows.key(1, 3, last - 1), new byte[0]);
      byte[] line = Rows.key(1, 3, 1, 5);
      byte[] lineRow = database.look(work -> work.get(Table.ORDER_LINE, line));
      remove(database, Table.ORDER_LINE, line);
      assertBroken(database, scale, "4: ", "6: ");
      change(
          database,
          Table.ORDER_LINE,
          line,
          Rows.OrderLine.CODEC.encode(Rows.OrderLine.CODEC.decode(lineRow).delivered(0)));
      assertBroken(database, scale, "7: ");
      change(database, Table.ORDER_LINE, line, lineRow);
      database.transact(
          work -> {
            work.append(new Rows.History(Rows.key(1, 3, 1), 1, 3, 77, "twice"));
            return 0;
          });
      assertBroken(database, scale, "8: ", "10: ");
      remove(database, Table.ORDER_BY_CUSTOMER, anyOrder(database));
      assertBroken(database, scale, "index: an order");
      List<String> broken = Conditions.broken(database, scale);
      assertTrue(broken.stream().noneMatch(line1 -> line1.startsWith("12: ")), broken::toString);
    }
  }

  private static byte[] anyOrder(Database database) {
    return database.look(
        work -> work.page(Table.ORDER_BY_CUSTOMER, Rows.key(1, 5), false, 1).getFirst().getKey());
  }

  private static byte[] paid(byte[] district) {
    return Rows.District.CODEC.encode(Rows.District.CODEC.decode(district).paid(1));
  }

  private static byte[] ordered(byte[] district) {
    return Rows.District.CODEC.encode(Rows.District.CODEC.decode(district).ordered());
  }

  private static void change(Database database, Table table, byte[] key, byte[] value) {
    database.transact(
        work -> {
          work.put(table, key, value);
          return 0;
        });
  }

  private static void remove(Database database, Table table, byte[] key) {
    database.transact(
        work -> {
          work.remove(table, key);
          return 0;
        });
  }

  private static void assertBroken(Database database, Scale scale, String... numbers) {
    List<String> broken = Conditions.broken(database, scale);
    for (String number : numbers) {
      assertTrue(broken.stream().anyMatch(line -> line.startsWith(number)), () -> number + broken);
    }
  }
}
