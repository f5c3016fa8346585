package dev.upcall.bench.tpcc;

import static dev.upcall.bench.tpcc.Rows.key;

import dev.upcall.bench.tpcc.Database.Work;
import dev.upcall.bench.tpcc.Rows.Customer;
import dev.upcall.bench.tpcc.Rows.District;
import dev.upcall.bench.tpcc.Rows.History;
import dev.upcall.bench.tpcc.Rows.Order;
import dev.upcall.bench.tpcc.Rows.OrderLine;
import dev.upcall.bench.tpcc.Rows.Warehouse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * The conditions of consistency of clause 3.3.2, all but the eleventh, which is of the first
 * population only; and that indexes agree with what they are of. All is read as of one moment.
 */
final class Conditions {
  private static final int PAGE = 500;

  private final Work work;
  private final Scale scale;
  private final List<String> broken = new ArrayList<>();
  private final Map<To, Long> paidTo = new HashMap<>();
  private long payments;

  private record To(long warehouse, long district) {}

  private Conditions(Work work, Scale scale) {
    this.work = work;
    this.scale = scale;
  }

  /** The conditions that do not hold, in words; none if all do. */
  static List<String> broken(Database database, Scale scale) {
    long payments = database.payments();
    return database.look(
        work -> {
          Conditions conditions = new Conditions(work, scale);
          for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
            conditions.addUp(warehouse);
          }
          for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
            conditions.check(warehouse);
          }
          conditions.same(
              "index: payments and those of all customers", payments, conditions.payments);
          return conditions.broken;
        });
  }

  private void same(String what, long left, long right) {
    if (left != right) {
      broken.add("%s: %d and %d".formatted(what, left, right));
    }
  }

  /** Adds up what customers of a warehouse have paid, by whom they paid it to. */
  private void addUp(int warehouse) {
    for (int district = 1; district <= Scale.DISTRICTS; district++) {
      for (int customer = 1; customer <= scale.customers(); customer++) {
        for (History payment : work.payments(key(warehouse, district, customer))) {
          payments++;
          paidTo.merge(
              new To(payment.warehouse(), payment.district()), payment.amount(), Long::sum);
        }
      }
    }
  }

  private void check(int warehouse) {
    long ofDistricts = 0;
    long paid = 0;
    for (int district = 1; district <= Scale.DISTRICTS; district++) {
      District row =
          District.CODEC.decode(
              Objects.requireNonNull(work.get(Table.DISTRICT, key(warehouse, district))));
      long paidHere = paidTo.getOrDefault(new To(warehouse, district), 0L);
      same("9: D_YTD and H_AMOUNT", row.ytd(), paidHere);
      ofDistricts += row.ytd();
      paid += paidHere;
      new OfDistrict(warehouse, district).check(row);
    }
    Warehouse row =
        Warehouse.CODEC.decode(Objects.requireNonNull(work.get(Table.WAREHOUSE, key(warehouse))));
    same("1: W_YTD and D_YTD", row.ytd(), ofDistricts);
    same("8: W_YTD and H_AMOUNT", row.ytd(), paid);
  }

  /** The conditions of one district. */
  private final class OfDistrict {
    private final int warehouse;
    private final int district;
    private final Map<Integer, Long> delivered = new HashMap<>();

    private OfDistrict(int warehouse, int district) {
      this.warehouse = warehouse;
      this.district = district;
    }

    private void check(District row) {
      byte[] prefix = key(warehouse, district);
      TreeSet<Integer> waiting = new TreeSet<>();
      for (Map.Entry<byte[], byte[]> entry : work.all(Table.NEW_ORDER, prefix)) {
        waiting.add(Rows.lastPart(entry.getKey()));
      }
      if (!waiting.isEmpty()) {
        int span = waiting.last() - waiting.first() + 1;
        same("3: numbers of new orders and their count", span, waiting.size());
        same("2: D_NEXT_O_ID - 1 and NO_O_ID", row.nextOrder() - 1, waiting.last());
      }
      List<Map.Entry<byte[], byte[]>> orders = work.all(Table.ORDERS, prefix);
      same(
          "2: D_NEXT_O_ID - 1 and O_ID",
          row.nextOrder() - 1,
          Rows.lastPart(orders.getLast().getKey()));
      same("orders and their numbers", orders.size(), row.nextOrder() - 1);
      long lines = 0;
      int undelivered = 0;
      for (Map.Entry<byte[], byte[]> entry : orders) {
        int number = Rows.lastPart(entry.getKey());
        Order order = Order.CODEC.decode(entry.getValue());
        boolean isWaiting = order.carrier() == 0;
        undelivered += isWaiting ? 1 : 0;
        same(
            "5: an order without a carrier and its new order",
            isWaiting ? 1 : 0,
            waiting.contains(number) ? 1 : 0);
        lines += check(number, order);
        byte[] byCustomer = key(warehouse, district, (int) order.customer(), number);
        same(
            "index: an order and its customer's",
            1,
            work.get(Table.ORDER_BY_CUSTOMER, byCustomer) == null ? 0 : 1);
      }
      same("5: orders without a carrier and new orders", undelivered, waiting.size());
      same("4: O_OL_CNT and order lines", lines, work.all(Table.ORDER_LINE, prefix).size());
      same(
          "index: orders and those of customers",
          orders.size(),
          work.all(Table.ORDER_BY_CUSTOMER, prefix).size());
      checkCustomers(prefix);
    }

    /** The lines of an order; how many it says that it has. */
    private long check(int number, Order order) {
      List<Map.Entry<byte[], byte[]>> lines =
          work.page(Table.ORDER_LINE, key(warehouse, district, number), false, PAGE);
      same("6: O_OL_CNT and the lines of an order", order.lines(), lines.size());
      for (Map.Entry<byte[], byte[]> entry : lines) {
        OrderLine line = OrderLine.CODEC.decode(entry.getValue());
        same(
            "7: OL_DELIVERY_D and O_CARRIER_ID",
            line.deliveryMillis() == 0 ? 0 : 1,
            order.carrier() == 0 ? 0 : 1);
        if (line.deliveryMillis() != 0) {
          delivered.merge((int) order.customer(), line.amount(), Long::sum);
        }
      }
      return order.lines();
    }

    private void checkCustomers(byte[] prefix) {
      List<Map.Entry<byte[], byte[]>> customers = work.all(Table.CUSTOMER, prefix);
      same("customers", customers.size(), scale.customers());
      for (Map.Entry<byte[], byte[]> entry : customers) {
        int number = Rows.lastPart(entry.getKey());
        Customer customer = Customer.CODEC.decode(entry.getValue());
        long bought = delivered.getOrDefault(number, 0L);
        long paid = work.payments(entry.getKey()).stream().mapToLong(History::amount).sum();
        same("10: C_BALANCE, OL_AMOUNT and H_AMOUNT", customer.balance(), bought - paid);
        same(
            "12: C_BALANCE, C_YTD_PAYMENT and OL_AMOUNT",
            customer.balance() + customer.ytdPayment(),
            bought);
        byte[] byName = Rows.named(warehouse, district, number, customer);
        same(
            "index: a customer by name",
            1,
            work.get(Table.CUSTOMER_BY_NAME, byName) == null ? 0 : 1);
      }
      same(
          "index: customers and their names",
          customers.size(),
          work.all(Table.CUSTOMER_BY_NAME, prefix).size());
    }
  }
}
