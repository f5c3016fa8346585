package dev.upcall.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Listing.Direction;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.store.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Records and their indexes under each engine. */
class RecordsTest {
  static final Index<Order, String> BY_CUSTOMER =
      Index.of("/by-customer", Codecs.STRING, Order::customer);
  static final Index<Order, Integer> BY_NUMBER =
      Index.unique("/by-number", Codecs.INT, Order::number);
  static final Codec<Order> ORDER =
      Codecs.pair(Codecs.STRING, Codecs.INT)
          .map(
              pair -> new Order(pair.first(), pair.second()),
              order -> new Pair<>(order.customer(), order.number()));

  @TempDir Path folder;

  record Order(String customer, int number) {}

  private Upcall open(Engine engine) {
    return Upcall.openOrCreate(
        folder.resolve("s.upcall"),
        UpcallConfig.DEFAULT.withMemoryBytes(32L << 20).withEngine(engine));
  }

  private static Records<Order> orders(Upcall store) {
    return store.records("/orders", ORDER, List.of(BY_CUSTOMER, BY_NUMBER)).with(Durability.ASYNC);
  }

  @ParameterizedTest
  @EachEngine
  void changes_manyByChance_recordsAndIndexesAgree(Engine engine) {
    Map<Long, Order> model = new TreeMap<>();
    Random random = new Random(5);
    long last = 0;
    for (int opening = 0; opening < 3; opening++) {
      try (Upcall store = open(engine)) {
        Records<Order> orders = orders(store);
        for (int step = 0; step < 300; step++) {
          Order order = new Order("c" + random.nextInt(4), random.nextInt(40));
          boolean isTaken =
              model.values().stream().anyMatch(other -> other.number() == order.number());
          long id = 1 + random.nextLong(last + 3);
          switch (random.nextInt(4)) {
            case 0, 1 -> {
              if (isTaken) {
                assertThrows(UpcallException.AlreadyExists.class, () -> orders.append(order));
              } else {
                long given = orders.append(order);
                assertTrue(given > last, () -> given + " was given");
                last = given;
                model.put(given, order);
              }
            }
            case 2 -> {
              Order before = model.get(id);
              if (before != null && isTaken && before.number() != order.number()) {
                assertThrows(UpcallException.AlreadyExists.class, () -> orders.update(id, order));
              } else {
                assertEquals(model.replace(id, order) != null, orders.update(id, order));
              }
            }
            default -> assertEquals(model.remove(id) != null, orders.delete(id));
          }
          assertEquals(Optional.ofNullable(model.get(id)), orders.read(id));
        }
        assertAgree(orders, model);
      }
    }
  }

  static void assertAgree(Records<Order> orders, Map<Long, Order> model) {
    assertEquals(model.size(), orders.count());
    Map<Long, Order> scanned = new TreeMap<>();
    orders.scan().forEach(entry -> scanned.put(entry.id(), entry.record()));
    assertEquals(model, scanned);
    Map<String, TreeSet<Long>> customers = new TreeMap<>();
    Map<Integer, Long> numbers = new TreeMap<>();
    model.forEach(
        (id, order) -> {
          customers.computeIfAbsent(order.customer(), none -> new TreeSet<>()).add(id);
          numbers.put(order.number(), id);
        });
    List<Long> all = new ArrayList<>();
    customers.forEach(
        (customer, ids) -> {
          assertEquals(List.copyOf(ids), ids(orders, customer));
          all.addAll(ids);
        });
    assertEquals(
        all,
        orders.find(BY_CUSTOMER, Range.all(), Direction.ASCENDING).map(Records.Entry::id).toList());
    assertEquals(
        new ArrayList<>(numbers.values()).reversed(),
        orders.find(BY_NUMBER, Range.all(), Direction.DESCENDING).map(Records.Entry::id).toList());
    numbers.forEach(
        (number, id) ->
            assertEquals(
                List.of(id), orders.find(BY_NUMBER, number).map(Records.Entry::id).toList()));
  }

  static List<Long> ids(Records<Order> orders, String customer) {
    return orders.find(BY_CUSTOMER, customer).map(Records.Entry::id).toList();
  }

  @ParameterizedTest
  @EachEngine
  void find_rangesOfAnIndexThatIsNotUnique_haveTheirBounds(Engine engine) {
    try (Upcall store = open(engine)) {
      Records<Order> orders = orders(store);
      int number = 0;
      for (String customer : List.of("a", "ab", "a\0b", "b", "ba", "a")) {
        orders.append(new Order(customer, number++));
      }
      assertEquals(List.of("a", "a"), customers(orders, Range.through("a")));
      assertEquals(List.of("a\0b", "ab", "b", "ba"), customers(orders, Range.above("a")));
      assertEquals(List.of("a", "a", "a\0b", "ab"), customers(orders, Range.below("b")));
      assertEquals(List.of("b", "ba"), customers(orders, Range.from("b")));
      assertEquals(List.of("a", "a", "a\0b", "ab"), customers(orders, Range.startingWith("a")));
      assertEquals(List.of("a\0b"), customers(orders, Range.startingWith("a\0")));
      assertEquals(List.of("ab"), customers(orders, Range.between("ab", "b")));
    }
  }

  private static List<String> customers(Records<Order> orders, Range<String> range) {
    return orders
        .find(BY_CUSTOMER, range, Direction.ASCENDING)
        .map(entry -> entry.record().customer())
        .toList();
  }

  @ParameterizedTest
  @EachEngine
  void manyThreads_appendUpdateAndDelete_idsAreNotGivenTwiceAndIndexesAgree(Engine engine)
      throws Exception {
    try (Upcall store = open(engine);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<List<Long>>> writers = new ArrayList<>();
      for (int writer = 0; writer < 6; writer++) {
        // Two share what one has opened.
        Records<Order> orders = orders(store);
        writers.add(appending(orders, 2 * writer));
        writers.add(appending(orders, 2 * writer + 1));
      }
      List<Long> given = new ArrayList<>();
      for (Future<List<Long>> ended : threads.invokeAll(writers)) {
        List<Long> own = ended.get();
        assertEquals(own.stream().sorted().toList(), own);
        given.addAll(own);
      }
      assertEquals(given.size(), new TreeSet<>(given).size());
      Records<Order> orders = orders(store);
      Map<Long, Order> model = new TreeMap<>();
      orders.scan().forEach(entry -> model.put(entry.id(), entry.record()));
      assertAgree(orders, model);
      assertTrue(model.size() > given.size() / 2);
    }
  }

  private static Callable<List<Long>> appending(Records<Order> orders, int writer) {
    return () -> {
      Random random = new Random(writer);
      List<Long> ids = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        int number = 1000 * writer + i;
        ids.add(orders.append(new Order("c" + random.nextInt(3), number)));
        // The first records are everybody's.
        long first = 1 + random.nextInt(20);
        if (random.nextInt(4) == 0) {
          orders.update(first, new Order("u" + writer, -number - 1));
        } else if (random.nextInt(16) == 0) {
          orders.delete(first);
        }
      }
      return ids;
    };
  }

  @ParameterizedTest
  @EachEngine
  void open_withOtherIndexesThanThereAre_isRefused(Engine engine) {
    try (Upcall store = open(engine)) {
      orders(store).append(new Order("a", 1));
      for (List<Index<Order, ?>> others :
          List.<List<Index<Order, ?>>>of(
              List.of(),
              List.of(BY_CUSTOMER),
              List.of(
                  BY_CUSTOMER, BY_NUMBER, Index.of("/third", Codecs.STRING, Order::customer)))) {
        assertThrows(UpcallException.Invalid.class, () -> store.records("/orders", ORDER, others));
      }
      assertFalse(store.exists("/third"));
      assertThrows(
          UpcallException.Invalid.class,
          () -> store.sortedTable("/orders", Codecs.LONG, Codecs.BYTES));
      assertThrows(
          UpcallException.Invalid.class,
          () -> store.sortedTable("/by-customer", Codecs.STRING, Codecs.BYTES));
      assertThrows(
          UpcallException.Invalid.class,
          () -> orders(store).find(Index.of("/x", Codecs.STRING, Order::customer), "a"));
      store.records("/orders", ORDER, List.of(BY_NUMBER, BY_CUSTOMER)).append(new Order("b", 2));
      assertEquals(2, orders(store).count());
    }
  }

  @ParameterizedTest
  @EachEngine
  void append_afterAnotherTableCameUnderTheName_takesItsIds(Engine engine) {
    try (Upcall store = open(engine)) {
      Records<Order> orders = store.records("/orders", ORDER);
      assertEquals(1, orders.append(new Order("a", 1)));
      store.delete("/orders");
      assertThrows(UpcallException.NotFound.class, () -> orders.append(new Order("a", 2)));
      Records<Order> others = store.records("/orders", ORDER);
      TreeSet<Long> ids = new TreeSet<>();
      for (int i = 0; i < 100; i++) {
        assertTrue(ids.add(others.append(new Order("b", i))));
        assertTrue(ids.add(orders.append(new Order("c", i))));
      }
      assertEquals(200, others.count());
    }
  }

  @ParameterizedTest
  @EachEngine
  void badInput_isTypedAndChangesNothing(Engine engine) {
    Index<Order, String> throwing =
        Index.of(
            "/throwing",
            Codecs.STRING,
            order -> {
              if (order.number() < 0) {
                throw new IllegalStateException("negative");
              }
              return order.customer();
            });
    try (Upcall store = open(engine)) {
      Records<Order> orders = store.records("/orders", ORDER, List.of(throwing));
      Index<String, String> unique = Index.unique("/unique", Codecs.STRING, text -> text);
      Records<String> texts = store.records("/texts", Codecs.STRING, List.of(unique));
      UpcallException empty = assertThrows(UpcallException.Invalid.class, () -> texts.append(""));
      assertTrue(empty.getMessage().contains("index /unique must not be empty"), empty::getMessage);
      assertEquals(0, texts.count());
      long id = orders.append(new Order("a", 1));
      assertThrows(UpcallException.Invalid.class, () -> orders.append(new Order("a", -1)));
      assertThrows(UpcallException.Invalid.class, () -> orders.update(id, new Order("a", -1)));
      UpcallException tooLarge =
          assertThrows(
              UpcallException.TooLarge.class, () -> orders.append(new Order("a".repeat(290), 1)));
      assertTrue(
          tooLarge.getMessage().contains("the key for the index " + throwing.path()),
          tooLarge::getMessage);
      assertThrows(
          UpcallException.TooLarge.class, () -> orders.append(new Order("a".repeat(1200), 1)));
      assertThrows(UpcallException.Invalid.class, () -> orders.read(0));
      assertThrows(UpcallException.Invalid.class, () -> orders.delete(-1));
      assertEquals(List.of(new Records.Entry<>(id, new Order("a", 1))), orders.scan().toList());
      assertEquals(id + 1, orders.append(new Order("b", 2)));
    }
  }
}
