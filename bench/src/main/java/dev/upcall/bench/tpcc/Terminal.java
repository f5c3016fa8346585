package dev.upcall.bench.tpcc;

import static dev.upcall.bench.tpcc.Rows.key;

import dev.upcall.bench.tpcc.Database.Work;
import dev.upcall.bench.tpcc.Rows.Customer;
import dev.upcall.bench.tpcc.Rows.District;
import dev.upcall.bench.tpcc.Rows.History;
import dev.upcall.bench.tpcc.Rows.Item;
import dev.upcall.bench.tpcc.Rows.Order;
import dev.upcall.bench.tpcc.Rows.OrderLine;
import dev.upcall.bench.tpcc.Rows.Stock;
import dev.upcall.bench.tpcc.Rows.Warehouse;
import dev.upcall.table.Codec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * One terminal of a warehouse, which asks for one of the five transactions after the other, as
 * clause 2 describes them, in the shares of 5.2.3; it does not think. Inputs are drawn before a
 * transaction begins, so that one that runs again does the same. One thread.
 */
final class Terminal {
  private static final int MOST_LINES = 512;

  private final Database database;
  private final Scale scale;
  private final int warehouse;
  private final Random random;
  private final Acks acks;
  private long newOrders;

  /** Is told what is durable. */
  interface Acks {
    /** A new order. */
    void ordered(int warehouse, int district, int order) throws IOException;

    /** A payment. */
    void paid() throws IOException;
  }

  /** Ends a new order with an item that does not exist: nothing has happened. */
  private static final class UnknownItem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private UnknownItem() {
      super("no such item", null, false, false);
    }
  }

  Terminal(Database database, Scale scale, int number, long seed, Acks acks) {
    this.database = database;
    this.scale = scale;
    this.warehouse = number % scale.warehouses() + 1;
    this.random = new Random(seed);
    this.acks = acks;
  }

  /** How many new orders it has had. */
  long newOrders() {
    return newOrders;
  }

  /** One transaction. */
  void step() throws IOException {
    int drawn = random.nextInt(100);
    if (drawn < 45) {
      newOrder();
    } else if (drawn < 88) {
      payment();
    } else if (drawn < 92) {
      orderStatus();
    } else if (drawn < 96) {
      delivery();
    } else {
      stockLevel();
    }
  }

  // ------------------------------------------------------------------ new order

  private record Wanted(int supplier, int quantity) {}

  private void newOrder() throws IOException {
    int district = district();
    int customer = customer();
    int lines = 5 + random.nextInt(11);
    // By number, so that no two wait for each other's stock.
    TreeMap<Integer, Wanted> items = new TreeMap<>();
    while (items.size() < lines) {
      boolean isRemote = random.nextInt(100) == 0;
      items.put(
          Draw.number(random, 8191, 1, scale.items()),
          new Wanted(isRemote ? otherWarehouse() : warehouse, 1 + random.nextInt(10)));
    }
    if (random.nextInt(100) == 0) {
      items.put(scale.items() + 1, new Wanted(warehouse, 1));
    }
    long now = System.currentTimeMillis();
    try {
      int order = database.transact(work -> newOrder(work, district, customer, items, now));
      newOrders++;
      acks.ordered(warehouse, district, order);
    } catch (UnknownItem expectedOfOneInAHundred) {
      newOrders++;
    }
  }

  private int newOrder(
      Work work, int district, int customer, Map<Integer, Wanted> items, long now) {
    Warehouse here = get(work, Warehouse.CODEC, Table.WAREHOUSE, key(warehouse));
    byte[] districtKey = key(warehouse, district);
    District there = getForUpdate(work, District.CODEC, Table.DISTRICT, districtKey);
    Customer buyer = get(work, Customer.CODEC, Table.CUSTOMER, key(warehouse, district, customer));
    int order = (int) there.nextOrder();
    work.put(Table.DISTRICT, districtKey, District.CODEC.encode(there.ordered()));
    work.put(
        Table.ORDERS,
        key(warehouse, district, order),
        Order.CODEC.encode(new Order(customer, now, 0, items.size())));
    work.put(Table.NEW_ORDER, key(warehouse, district, order), new byte[0]);
    work.put(Table.ORDER_BY_CUSTOMER, key(warehouse, district, customer, order), new byte[0]);
    int line = 0;
    long total = 0;
    for (Map.Entry<Integer, Wanted> one : items.entrySet()) {
      int number = one.getKey();
      Wanted wanted = one.getValue();
      byte[] itemBytes = work.get(Table.ITEM, key(number));
      if (itemBytes == null) {
        throw new UnknownItem();
      }
      byte[] stockKey = key(wanted.supplier(), number);
      Stock stock = getForUpdate(work, Stock.CODEC, Table.STOCK, stockKey);
      work.put(
          Table.STOCK,
          stockKey,
          Stock.CODEC.encode(stock.ordered(wanted.quantity(), wanted.supplier() != warehouse)));
      long amount = wanted.quantity() * Item.CODEC.decode(itemBytes).price();
      total += amount;
      line++;
      work.put(
          Table.ORDER_LINE,
          key(warehouse, district, order, line),
          OrderLine.CODEC.encode(
              new OrderLine(
                  number, wanted.supplier(), 0, wanted.quantity(), amount, stock.of(district))));
    }
    // Shown on the terminal.
    long shown = total * (10_000 - buyer.discount()) * (10_000 + here.tax() + there.tax());
    if (shown < 0) {
      throw new IllegalStateException("an order of " + shown);
    }
    return order;
  }

  // ------------------------------------------------------------------ payment

  private void payment() throws IOException {
    int district = district();
    boolean isHome = random.nextInt(100) < 85 || scale.warehouses() == 1;
    int ofWarehouse = isHome ? warehouse : otherWarehouse();
    int ofDistrict = isHome ? district : district();
    Who who = who();
    long amount = 100L + random.nextInt(499_901);
    String data = Draw.text(random, 12, 24);
    database.transact(
        work -> {
          byte[] warehouseKey = key(warehouse);
          Warehouse here = getForUpdate(work, Warehouse.CODEC, Table.WAREHOUSE, warehouseKey);
          work.put(Table.WAREHOUSE, warehouseKey, Warehouse.CODEC.encode(here.paid(amount)));
          byte[] districtKey = key(warehouse, district);
          District there = getForUpdate(work, District.CODEC, Table.DISTRICT, districtKey);
          work.put(Table.DISTRICT, districtKey, District.CODEC.encode(there.paid(amount)));
          int number = find(work, ofWarehouse, ofDistrict, who);
          byte[] customerKey = key(ofWarehouse, ofDistrict, number);
          Customer payer = getForUpdate(work, Customer.CODEC, Table.CUSTOMER, customerKey);
          String note =
              String.join(" ", String.valueOf(number), String.valueOf(district), data) + ";";
          work.put(Table.CUSTOMER, customerKey, Customer.CODEC.encode(payer.paid(amount, note)));
          work.append(new History(customerKey, warehouse, district, amount, data));
          return number;
        });
    acks.paid();
  }

  /** A customer by number, or by last name when that is not empty. */
  private record Who(int number, String last) {}

  private Who who() {
    if (random.nextInt(100) < 60) {
      int names = Math.min(1000, scale.customers());
      return new Who(0, Draw.lastName(Draw.number(random, 255, 0, names - 1)));
    }
    return new Who(customer(), "");
  }

  /** The one in the middle of those with a name, by first name. */
  private static int find(Work work, int warehouse, int district, Who who) {
    if (who.last().isEmpty()) {
      return who.number();
    }
    List<Map.Entry<byte[], byte[]>> found =
        work.page(
            Table.CUSTOMER_BY_NAME, Rows.named(warehouse, district, who.last()), false, MOST_LINES);
    if (found.isEmpty()) {
      throw new IllegalStateException("no customer is called " + who.last());
    }
    return Rows.lastPart(found.get((found.size() - 1) / 2).getKey());
  }

  // ------------------------------------------------------------------ the others

  private void orderStatus() {
    int district = district();
    Who who = who();
    database.look(
        work -> {
          int number = find(work, warehouse, district, who);
          get(work, Customer.CODEC, Table.CUSTOMER, key(warehouse, district, number));
          List<Map.Entry<byte[], byte[]>> last =
              work.page(Table.ORDER_BY_CUSTOMER, key(warehouse, district, number), true, 1);
          int order = Rows.lastPart(last.getFirst().getKey());
          Order row = get(work, Order.CODEC, Table.ORDERS, key(warehouse, district, order));
          int lines = lines(work, district, order).size();
          if (lines != row.lines()) {
            throw new IllegalStateException("an order of %s has %d lines".formatted(row, lines));
          }
          return lines;
        });
  }

  private void delivery() {
    long carrier = 1L + random.nextInt(10);
    long now = System.currentTimeMillis();
    database.transact(
        work -> {
          int delivered = 0;
          for (int district = 1; district <= Scale.DISTRICTS; district++) {
            List<Map.Entry<byte[], byte[]>> oldest =
                work.page(Table.NEW_ORDER, key(warehouse, district), false, 1);
            if (!oldest.isEmpty()) {
              delivered += deliver(work, oldest.getFirst().getKey(), carrier, now);
            }
          }
          return delivered;
        });
  }

  private int deliver(Work work, byte[] orderKey, long carrier, long now) {
    int district = Rows.part(orderKey, 1);
    int number = Rows.part(orderKey, 2);
    // First of all this row: of two that deliver it the second finds it locked, and then gone.
    if (work.getForUpdate(Table.NEW_ORDER, orderKey) == null) {
      return 0;
    }
    work.remove(Table.NEW_ORDER, orderKey);
    Order order = getForUpdate(work, Order.CODEC, Table.ORDERS, orderKey);
    work.put(Table.ORDERS, orderKey, Order.CODEC.encode(order.delivered(carrier)));
    long sum = 0;
    for (Map.Entry<byte[], byte[]> entry : lines(work, district, number)) {
      OrderLine line = OrderLine.CODEC.decode(entry.getValue());
      sum += line.amount();
      work.put(Table.ORDER_LINE, entry.getKey(), OrderLine.CODEC.encode(line.delivered(now)));
    }
    byte[] customerKey = key(warehouse, district, (int) order.customer());
    Customer buyer = getForUpdate(work, Customer.CODEC, Table.CUSTOMER, customerKey);
    work.put(Table.CUSTOMER, customerKey, Customer.CODEC.encode(buyer.delivered(sum)));
    return 1;
  }

  private List<Map.Entry<byte[], byte[]>> lines(Work work, int district, int order) {
    return work.page(Table.ORDER_LINE, key(warehouse, district, order), false, MOST_LINES);
  }

  private void stockLevel() {
    int district = district();
    long least = 10L + random.nextInt(11);
    database.look(
        work -> {
          District row = get(work, District.CODEC, Table.DISTRICT, key(warehouse, district));
          Set<Long> items = new HashSet<>();
          int next = (int) row.nextOrder();
          for (int order = Math.max(1, next - 20); order < next; order++) {
            for (Map.Entry<byte[], byte[]> line : lines(work, district, order)) {
              items.add(OrderLine.CODEC.decode(line.getValue()).item());
            }
          }
          List<Long> low = new ArrayList<>();
          for (long item : items) {
            if (get(work, Stock.CODEC, Table.STOCK, key(warehouse, (int) item)).quantity()
                < least) {
              low.add(item);
            }
          }
          return low;
        });
  }

  // ------------------------------------------------------------------ inputs

  private int district() {
    return 1 + random.nextInt(Scale.DISTRICTS);
  }

  private int customer() {
    return Draw.number(random, 1023, 1, scale.customers());
  }

  private int otherWarehouse() {
    if (scale.warehouses() == 1) {
      return warehouse;
    }
    int other = 1 + random.nextInt(scale.warehouses() - 1);
    return other < warehouse ? other : other + 1;
  }

  private static <T> T get(Work work, Codec<T> codec, Table table, byte[] key) {
    return found(codec, table, work.get(table, key));
  }

  private static <T> T getForUpdate(Work work, Codec<T> codec, Table table, byte[] key) {
    return found(codec, table, work.getForUpdate(table, key));
  }

  private static <T> T found(
      Codec<T> codec, Table table, byte @org.jspecify.annotations.Nullable [] bytes) {
    if (bytes == null) {
      throw new IllegalStateException("a row of " + table + " is not there");
    }
    return codec.decode(bytes);
  }
}
