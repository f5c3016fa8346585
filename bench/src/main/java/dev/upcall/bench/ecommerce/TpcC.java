package dev.upcall.bench.ecommerce;

import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * TPC-C with 30 warehouses: short transactions over random rows. Tables, mixes and page touches of
 * the paper and of the specification; at a smaller scale neighbouring keys share a row.
 */
final class TpcC extends Workload {
  private static final List<String> KINDS =
      List.of("New-Order", "Payment", "Order-Status", "Delivery", "Stock-Level");

  static final List<Mix> MIXES =
      List.of(
          Mix.of("standard", KINDS, 45, 43, 4, 4, 4), Mix.of("high write", KINDS, 45, 7, 4, 40, 4));

  private static final int WAREHOUSES = 30;
  private static final int DISTRICTS = 10;
  private static final int ITEMS = 100_000;
  private static final int ITEM_A = 8191;
  private static final int CUSTOMERS = 3000;
  private static final int CUSTOMER_A = 1023;
  private static final int ORDERS_LOOKED_AT = 20;
  private static final int OF_ONE_NAME = 3;

  private final Table customer;
  private final Table stock;
  private final Table orderLine;
  private final Table orders;
  private final Table newOrder;
  private final Table history;
  private final Table item;
  private final Table district;
  private final Table warehouse;

  /** How many orders each district has delivered since the load. */
  private final int[] delivered = new int[WAREHOUSES * DISTRICTS];

  TpcC(Mix mix, double scale) {
    super(Kind.TPC_C, mix, scale);
    customer = schema.table("customer", 900_000, 608);
    stock = schema.table("stock", 2_975_627, 316);
    orderLine = schema.table("order line", 10_746_128, 72);
    orders = schema.table("orders", 1_110_328, 37);
    newOrder = schema.table("new order", 89_405, 40);
    history = schema.table("history", 977_725, 58);
    item = schema.table("item", ITEMS, 82);
    district = schema.table("district", 300, 120);
    warehouse = schema.table("warehouse", 30, 113);
  }

  @Override
  public Interaction next(RandomGenerator random) {
    String kind = mix().draw(random);
    int home = random.nextInt(WAREHOUSES);
    Script script =
        switch (kind) {
          case "New-Order" -> newOrder(random, home);
          case "Payment" -> payment(random, home);
          case "Order-Status" -> orderStatus(random, home);
          case "Delivery" -> delivery(random, home);
          default -> stockLevel(random, home);
        };
    return new Interaction(kind, script.steps());
  }

  private Script newOrder(RandomGenerator random, int home) {
    Script script = new Script();
    script.read(warehouse, home);
    script.change(district, district(random, home));
    script.read(customer, customer(random, home));
    boolean rollsBack = random.nextInt(100) == 0;
    int lines = Draws.between(random, 5, 15);
    for (int i = 0; i < lines; i++) {
      double part = Draws.nonUniform(random, ITEM_A, ITEMS);
      script.read(item, item.rowAt(part));
      long row = stock(random.nextInt(100) == 0 ? random.nextInt(WAREHOUSES) : home, part);
      if (rollsBack) {
        script.read(stock, row);
      } else {
        script.change(stock, row);
      }
    }
    if (!rollsBack) {
      for (int i = 0; i < lines; i++) {
        script.append(orderLine);
      }
      script.append(orders).append(newOrder);
    }
    return script;
  }

  private Script payment(RandomGenerator random, int home) {
    Script script = new Script();
    script.change(warehouse, home).change(district, district(random, home));
    int from = random.nextInt(100) < 15 ? random.nextInt(WAREHOUSES) : home;
    byNameOrKey(script, random, from);
    return script.change(customer, customer(random, from)).append(history);
  }

  private Script orderStatus(RandomGenerator random, int home) {
    Script script = new Script();
    byNameOrKey(script, random, home);
    script.read(customer, customer(random, home));
    double order = random.nextDouble();
    script.read(orders, orders.rowAt(order));
    return script.readRows(orderLine, orderLine.rowAt(order), Draws.between(random, 5, 15));
  }

  /** Three of five know the customer's name only: of all who have it, one is meant. */
  private void byNameOrKey(Script script, RandomGenerator random, int from) {
    if (random.nextInt(100) < 60) {
      script.readLeaf(customer, customer.rowAt(random.nextDouble()));
      for (int i = 1; i < OF_ONE_NAME; i++) {
        script.read(customer, customer(random, from));
      }
    }
  }

  private Script delivery(RandomGenerator random, int home) {
    Script script = new Script();
    for (int i = 0; i < DISTRICTS; i++) {
      int of = home * DISTRICTS + i;
      double order = oldest(of);
      script.remove(newOrder, newOrder.rowAt(random.nextDouble()));
      script.change(orders, orders.rowAt(order));
      script.changeRows(orderLine, orderLine.rowAt(order), Draws.between(random, 5, 15));
      script.change(customer, customer(random, home));
    }
    return script;
  }

  /**
   * The oldest order of a district that is not delivered, as a part of all; one of three is not.
   */
  private double oldest(int of) {
    double districts = WAREHOUSES * DISTRICTS;
    double undelivered = (double) delivered[of]++ * districts / orders.rows();
    return (of + 0.7 + 0.3 * (undelivered - Math.floor(undelivered))) / districts;
  }

  private Script stockLevel(RandomGenerator random, int home) {
    Script script = new Script();
    long of = district(random, home);
    script.read(district, of);
    double recent = (of + random.nextDouble()) / (WAREHOUSES * DISTRICTS);
    script.readRows(orderLine, orderLine.rowAt(recent), ORDERS_LOOKED_AT * 10L);
    // As a join leaves them: each once, in the order of the key.
    TreeSet<Long> rows = new TreeSet<>();
    for (int i = 0; i < ORDERS_LOOKED_AT * 10; i++) {
      rows.add(stock(home, Draws.nonUniform(random, ITEM_A, ITEMS)));
    }
    rows.forEach(row -> script.read(stock, row));
    return script;
  }

  private long district(RandomGenerator random, int home) {
    return (long) home * DISTRICTS + random.nextInt(DISTRICTS);
  }

  private long customer(RandomGenerator random, int home) {
    double within = Draws.nonUniform(random, CUSTOMER_A, CUSTOMERS);
    return customer.rowAt((district(random, home) + within) / (WAREHOUSES * DISTRICTS));
  }

  private long stock(int home, double item) {
    return stock.rowAt((home + item) / WAREHOUSES);
  }
}
