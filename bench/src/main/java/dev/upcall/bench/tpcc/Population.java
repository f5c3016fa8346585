package dev.upcall.bench.tpcc;

import static dev.upcall.bench.tpcc.Rows.key;

import dev.upcall.bench.tpcc.Database.Row;
import dev.upcall.bench.tpcc.Rows.Customer;
import dev.upcall.bench.tpcc.Rows.History;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The first rows of all tables, as clause 4.3 has it; addresses are one text. */
final class Population {
  private static final int BATCH = 250;
  private static final long FIRST_PAYMENT = 1000;
  private static final int CUSTOMERS_BY_ORDER = 1000;

  private final Database database;
  private final Scale scale;
  private final Random random = new Random(1);
  private final List<Row> rows = new ArrayList<>();
  private final List<History> payments = new ArrayList<>();

  Population(Database database, Scale scale) {
    this.database = database;
    this.scale = scale;
  }

  /** Brings it in, durable when this returns. */
  void load() {
    for (int item = 1; item <= scale.items(); item++) {
      add(
          Table.ITEM,
          Rows.Item.CODEC.encode(
              new Rows.Item(100 + random.nextInt(9901), text(14, 24), text(26, 50))),
          item);
    }
    for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
      load(warehouse);
    }
    flush(1);
    database.sync();
  }

  private void load(int warehouse) {
    long paid = FIRST_PAYMENT * scale.customers();
    add(
        Table.WAREHOUSE,
        Rows.Warehouse.CODEC.encode(
            new Rows.Warehouse(random.nextInt(2001), paid * Scale.DISTRICTS, text(50, 95))),
        warehouse);
    for (int item = 1; item <= scale.items(); item++) {
      add(
          Table.STOCK,
          Rows.Stock.CODEC.encode(
              new Rows.Stock(
                  10 + random.nextInt(91),
                  0,
                  0,
                  0,
                  text(
                      Scale.DISTRICTS * Rows.Stock.DISTRICT_CHARS,
                      Scale.DISTRICTS * Rows.Stock.DISTRICT_CHARS),
                  text(26, 50))),
          warehouse,
          item);
    }
    for (int district = 1; district <= Scale.DISTRICTS; district++) {
      add(
          Table.DISTRICT,
          Rows.District.CODEC.encode(
              new Rows.District(random.nextInt(2001), paid, scale.customers() + 1, text(50, 95))),
          warehouse,
          district);
      loadCustomers(warehouse, district);
      loadOrders(warehouse, district);
    }
  }

  private void loadCustomers(int warehouse, int district) {
    for (int customer = 1; customer <= scale.customers(); customer++) {
      int name = customer <= CUSTOMERS_BY_ORDER ? customer - 1 : Draw.number(random, 255, 0, 999);
      Customer row =
          new Customer(
              Draw.lastName(name),
              text(8, 16),
              random.nextInt(10) == 0,
              random.nextInt(5001),
              -FIRST_PAYMENT,
              FIRST_PAYMENT,
              1,
              0,
              text(80, 140),
              text(300, 500));
      add(Table.CUSTOMER, Customer.CODEC.encode(row), warehouse, district, customer);
      rows.add(
          new Row(
              Table.CUSTOMER_BY_NAME, Rows.named(warehouse, district, customer, row), new byte[0]));
      byte[] key = key(warehouse, district, customer);
      payments.add(new History(key, warehouse, district, FIRST_PAYMENT, text(12, 24)));
    }
  }

  private void loadOrders(int warehouse, int district) {
    List<Integer> customers = new ArrayList<>();
    for (int customer = 1; customer <= scale.customers(); customer++) {
      customers.add(customer);
    }
    Collections.shuffle(customers, random);
    for (int order = 1; order <= scale.customers(); order++) {
      boolean isNew = order >= scale.firstNewOrder();
      int lines = 5 + random.nextInt(11);
      int customer = customers.get(order - 1);
      add(
          Table.ORDERS,
          Rows.Order.CODEC.encode(
              new Rows.Order(customer, order, isNew ? 0 : 1 + random.nextInt(10), lines)),
          warehouse,
          district,
          order);
      add(Table.ORDER_BY_CUSTOMER, new byte[0], warehouse, district, customer, order);
      if (isNew) {
        add(Table.NEW_ORDER, new byte[0], warehouse, district, order);
      }
      for (int line = 1; line <= lines; line++) {
        add(
            Table.ORDER_LINE,
            Rows.OrderLine.CODEC.encode(
                new Rows.OrderLine(
                    1 + random.nextInt(scale.items()),
                    warehouse,
                    isNew ? 0 : order,
                    5,
                    isNew ? 1 + random.nextInt(999_999) : 0,
                    text(24, 24))),
            warehouse,
            district,
            order,
            line);
      }
    }
  }

  private void add(Table table, byte[] value, int... key) {
    rows.add(new Row(table, key(key), value));
    flush(BATCH);
  }

  private void flush(int least) {
    if (rows.size() >= least) {
      database.load(List.copyOf(rows));
      rows.clear();
    }
    if (payments.size() >= least) {
      database.loadHistory(List.copyOf(payments));
      payments.clear();
    }
  }

  private String text(int least, int most) {
    return Draw.text(random, least, most);
  }
}
