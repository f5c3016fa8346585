package dev.upcall.bench.tpcc;

import dev.upcall.table.Codec;
import dev.upcall.table.Codecs;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The rows, and how they and their keys are bytes. Amounts are cents, rates hundredths of a
 * percent.
 */
final class Rows {
  private static final int MOST_BYTES = 1180;

  private Rows() {}

  record Warehouse(long tax, long ytd, String address) {
    static final Codec<Warehouse> CODEC =
        codec(
            (row, out) -> out.number(row.tax).number(row.ytd).text(row.address),
            in -> new Warehouse(in.number(), in.number(), in.text()));

    Warehouse paid(long amount) {
      return new Warehouse(tax, ytd + amount, address);
    }
  }

  record District(long tax, long ytd, long nextOrder, String address) {
    static final Codec<District> CODEC =
        codec(
            (row, out) ->
                out.number(row.tax).number(row.ytd).number(row.nextOrder).text(row.address),
            in -> new District(in.number(), in.number(), in.number(), in.text()));

    District paid(long amount) {
      return new District(tax, ytd + amount, nextOrder, address);
    }

    District ordered() {
      return new District(tax, ytd, nextOrder + 1, address);
    }
  }

  record Customer(
      String last,
      String first,
      boolean isBad,
      long discount,
      long balance,
      long ytdPayment,
      long payments,
      long deliveries,
      String address,
      String data) {
    private static final int DATA_CHARS = 500;

    static final Codec<Customer> CODEC =
        codec(
            (row, out) ->
                out.text(row.last)
                    .text(row.first)
                    .number(row.isBad ? 1 : 0)
                    .number(row.discount)
                    .number(row.balance)
                    .number(row.ytdPayment)
                    .number(row.payments)
                    .number(row.deliveries)
                    .text(row.address)
                    .text(row.data),
            in ->
                new Customer(
                    in.text(),
                    in.text(),
                    in.number() == 1,
                    in.number(),
                    in.number(),
                    in.number(),
                    in.number(),
                    in.number(),
                    in.text(),
                    in.text()));

    Customer paid(long amount, String note) {
      String more = isBad ? note + data : data;
      return new Customer(
          last,
          first,
          isBad,
          discount,
          balance - amount,
          ytdPayment + amount,
          payments + 1,
          deliveries,
          address,
          more.substring(0, Math.min(DATA_CHARS, more.length())));
    }

    Customer delivered(long amount) {
      return new Customer(
          last,
          first,
          isBad,
          discount,
          balance + amount,
          ytdPayment,
          payments,
          deliveries + 1,
          address,
          data);
    }
  }

  /** Of a carrier 0 is none. */
  record Order(long customer, long entryMillis, long carrier, long lines) {
    static final Codec<Order> CODEC =
        codec(
            (row, out) ->
                out.number(row.customer)
                    .number(row.entryMillis)
                    .number(row.carrier)
                    .number(row.lines),
            in -> new Order(in.number(), in.number(), in.number(), in.number()));

    Order delivered(long by) {
      return new Order(customer, entryMillis, by, lines);
    }
  }

  /** Of a delivery 0 is none. */
  record OrderLine(
      long item, long supplier, long deliveryMillis, long quantity, long amount, String district) {
    static final Codec<OrderLine> CODEC =
        codec(
            (row, out) ->
                out.number(row.item)
                    .number(row.supplier)
                    .number(row.deliveryMillis)
                    .number(row.quantity)
                    .number(row.amount)
                    .text(row.district),
            in ->
                new OrderLine(
                    in.number(), in.number(), in.number(), in.number(), in.number(), in.text()));

    OrderLine delivered(long millis) {
      return new OrderLine(item, supplier, millis, quantity, amount, district);
    }
  }

  record Item(long price, String name, String data) {
    static final Codec<Item> CODEC =
        codec(
            (row, out) -> out.number(row.price).text(row.name).text(row.data),
            in -> new Item(in.number(), in.text(), in.text()));
  }

  /** The texts of all districts for the order lines are one text here, 24 characters of each. */
  record Stock(long quantity, long ytd, long orders, long remote, String districts, String data) {
    static final int DISTRICT_CHARS = 24;

    static final Codec<Stock> CODEC =
        codec(
            (row, out) ->
                out.number(row.quantity)
                    .number(row.ytd)
                    .number(row.orders)
                    .number(row.remote)
                    .text(row.districts)
                    .text(row.data),
            in ->
                new Stock(
                    in.number(), in.number(), in.number(), in.number(), in.text(), in.text()));

    Stock ordered(long amount, boolean isRemote) {
      long left = quantity - amount;
      return new Stock(
          left >= 10 ? left : left + 91,
          ytd + amount,
          orders + 1,
          remote + (isRemote ? 1 : 0),
          districts,
          data);
    }

    String of(int district) {
      return districts.substring((district - 1) * DISTRICT_CHARS, district * DISTRICT_CHARS);
    }
  }

  /** A payment: of a customer, as a key of {@link Table#CUSTOMER}, to a district. */
  @SuppressWarnings("ArrayRecordComponent") // a key, as all of them
  record History(byte[] customer, long warehouse, long district, long amount, String data) {
    private static final int CUSTOMER_BYTES = 3 * Integer.BYTES;

    static final Codec<History> CODEC =
        codec(
            (row, out) ->
                out.bytes(row.customer)
                    .number(row.warehouse)
                    .number(row.district)
                    .number(row.amount)
                    .text(row.data),
            in ->
                new History(
                    in.bytes(CUSTOMER_BYTES), in.number(), in.number(), in.number(), in.text()));
  }

  // ------------------------------------------------------------------ bytes

  /** A key of numbers, in their order. */
  static byte[] key(int... numbers) {
    ByteBuffer key = ByteBuffer.allocate(numbers.length * Integer.BYTES);
    for (int number : numbers) {
      key.putInt(number);
    }
    return key.array();
  }

  /** The number at a place of a key, from the front. */
  static int part(byte[] key, int place) {
    return ByteBuffer.wrap(key).getInt(place * Integer.BYTES);
  }

  /** How customers of a last name begin in their index. */
  static byte[] named(int warehouse, int district, String last) {
    return Out.of(out -> out.bytes(key(warehouse, district)).name(last));
  }

  /** A customer in that index; the customer's number is in the last bytes. */
  static byte[] named(int warehouse, int district, int customer, Customer row) {
    return Out.of(
        out ->
            out.bytes(key(warehouse, district))
                .name(row.last())
                .name(row.first())
                .bytes(key(customer)));
  }

  /** The number in the last bytes of a key. */
  static int lastPart(byte[] key) {
    return ByteBuffer.wrap(key).getInt(key.length - Integer.BYTES);
  }

  private static <T> Codec<T> codec(BiConsumer<T, Out> write, Function<In, T> read) {
    return Codecs.of(
        row -> Out.of(out -> write.accept(row, out)), bytes -> read.apply(new In(bytes)));
  }

  private static final class Out {
    private final byte[] bytes = new byte[MOST_BYTES];
    private final ByteBuffer buffer = ByteBuffer.wrap(bytes);

    private static byte[] of(Consumer<Out> write) {
      Out out = new Out();
      write.accept(out);
      return Arrays.copyOf(out.bytes, out.buffer.position());
    }

    private Out number(long number) {
      buffer.putLong(number);
      return this;
    }

    private Out text(String text) {
      buffer.putShort((short) text.length());
      return bytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** With an end that no name has in it. */
    private Out name(String name) {
      return bytes(name.getBytes(StandardCharsets.ISO_8859_1)).bytes(new byte[1]);
    }

    private Out bytes(byte[] more) {
      buffer.put(more);
      return this;
    }
  }

  private record In(ByteBuffer buffer) {
    private In(byte[] bytes) {
      this(ByteBuffer.wrap(bytes));
    }

    private long number() {
      return buffer.getLong();
    }

    private String text() {
      return new String(bytes(buffer.getShort()), StandardCharsets.ISO_8859_1);
    }

    private byte[] bytes(int count) {
      byte[] bytes = new byte[count];
      buffer.get(bytes);
      return bytes;
    }
  }
}
