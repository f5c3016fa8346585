package dev.upcall.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.store.Durability;
import dev.upcall.table.RecordsTest.Order;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables with types in transactions and snapshots. */
class TablesInTransactionsTest {
  @TempDir Path folder;

  private FsmUpcall store;
  private SortedTable<Integer, String> table;

  @BeforeEach
  void open() {
    store =
        Upcall.create(folder.resolve("s.upcall"), UpcallConfig.DEFAULT.withMemoryBytes(32L << 20))
            .fsm();
    table = store.sortedTable("/t", Codecs.INT, Codecs.STRING);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private Records<Order> orders() {
    return store.records(
        "/orders", RecordsTest.ORDER, List.of(RecordsTest.BY_CUSTOMER, RecordsTest.BY_NUMBER));
  }

  @Test
  void commit_anEntryAndAFile_areBothThereOrNeither() {
    try (UpcallTransaction both = store.begin()) {
      table.in(both).put(1, "one");
      both.write("/one.pdf", new byte[3]);
      assertEquals(Optional.of("one"), table.in(both).get(1));
      assertEquals(1, table.in(both).count());
      assertEquals(Optional.empty(), table.get(1));
      assertEquals(0, table.count());
      both.rollback();
    }
    assertEquals(0, table.count());
    assertFalse(store.exists("/one.pdf"));
    try (UpcallTransaction both = store.begin()) {
      table.in(both).put(1, "one");
      both.write("/one.pdf", new byte[3]);
      both.commit();
    }
    assertEquals(Optional.of("one"), table.get(1));
    assertTrue(store.exists("/one.pdf"));
  }

  @Test
  void aTransaction_whatOneRequestRefuses_goesOn() {
    table.put(1, "one");
    try (UpcallTransaction transaction = store.begin()) {
      SortedTable<Integer, String> own = table.in(transaction);
      assertFalse(own.putIfAbsent(1, "other"));
      assertFalse(own.replace(1, "other", "third"));
      assertFalse(own.remove(2));
      assertTrue(own.replace(1, "one", "two"));
      assertEquals(Optional.of(Map.entry(1, "two")), own.first());
      assertEquals(1, own.removeRange(Range.all()));
      own.put(3, "three");
      transaction.commit();
    }
    assertEquals(List.of(Map.entry(3, "three")), table.scan().toList());
  }

  @Test
  void aTransaction_afterItsEnd_isTyped() {
    SortedTable<Integer, String> ended;
    try (UpcallTransaction transaction = store.begin()) {
      ended = table.in(transaction);
      ended.put(1, "one");
      transaction.commit();
    }
    assertThrows(UpcallException.Closed.class, () -> ended.put(2, "two"));
    assertThrows(UpcallException.Closed.class, () -> ended.get(1));
    assertThrows(UpcallException.Closed.class, () -> ended.scan());
    assertEquals(1, table.count());
  }

  @Test
  void twoTransactions_oneEntry_conflictAndOthersDoNot() {
    table.put(1, "one");
    try (UpcallTransaction first = store.begin();
        UpcallTransaction second = store.begin()) {
      table.in(first).put(2, "two");
      table.in(second).put(3, "three");
      first.commit();
      second.commit();
    }
    assertEquals(3, table.count());
    try (UpcallTransaction late = store.begin()) {
      assertEquals(Optional.of("one"), table.in(late).get(1));
      table.put(1, "changed");
      assertThrows(UpcallException.Conflict.class, () -> table.in(late).put(1, "late"));
    }
    assertEquals(Optional.of("changed"), table.get(1));
  }

  @Test
  void aSnapshot_allPagesAreOfItsMoment_andNothingIsChanged() {
    for (int i = 0; i < 1500; i++) {
      table.with(Durability.ASYNC).put(i, "old");
    }
    try (UpcallSnapshot then = store.snapshot()) {
      SortedTable<Integer, String> old = table.in(then);
      Iterator<Map.Entry<Integer, String>> entries = old.scan().iterator();
      assertEquals(Map.entry(0, "old"), entries.next());
      assertEquals(1500, table.removeRange(Range.all()));
      int seen = 1;
      while (entries.hasNext()) {
        assertEquals(Map.entry(seen++, "old"), entries.next());
      }
      assertEquals(1500, seen);
      assertEquals(1500, old.count());
      assertThrows(UpcallException.ReadOnly.class, () -> old.put(1, "new"));
      assertThrows(UpcallException.ReadOnly.class, () -> old.removeRange(Range.all()));
      assertEquals(0, table.count());
    }
  }

  @Test
  void records_inATransaction_comeAndGoWithTheirIndexes() {
    Records<Order> orders = orders();
    long kept = orders.append(new Order("a", 1));
    long lost;
    try (UpcallTransaction transaction = store.begin()) {
      Records<Order> own = orders.in(transaction);
      lost = own.append(new Order("b", 2));
      assertTrue(own.update(kept, new Order("c", 3)));
      assertEquals(List.of(lost), RecordsTest.ids(own, "b"));
      assertEquals(List.of(kept), RecordsTest.ids(own, "c"));
      assertEquals(List.of(), RecordsTest.ids(own, "a"));
      assertEquals(List.of(kept), RecordsTest.ids(orders, "a"));
      transaction.rollback();
    }
    RecordsTest.assertAgree(orders, new TreeMap<>(Map.of(kept, new Order("a", 1))));
    assertTrue(orders.append(new Order("d", 4)) > lost, "an id was given twice");
  }

  @Test
  void records_transactionsThatAppend_doNotConflict() {
    Records<Order> orders = orders();
    try (UpcallTransaction first = store.begin();
        UpcallTransaction second = store.begin()) {
      orders.in(first).append(new Order("a", 1));
      orders.in(second).append(new Order("a", 2));
      second.commit();
      first.commit();
    }
    assertEquals(2, RecordsTest.ids(orders, "a").size());
  }

  @Test
  void build_anIndexOfRecordsThatAreThere_isWholeAndOthersAreTold() {
    Records<Order> before = store.records("/orders", RecordsTest.ORDER);
    Map<Long, Order> model = new TreeMap<>();
    for (int i = 0; i < 700; i++) {
      Order order = new Order("c" + i % 3, i);
      model.put(before.append(order), order);
    }
    Records<Order> built = before.build(RecordsTest.BY_CUSTOMER).build(RecordsTest.BY_NUMBER);
    RecordsTest.assertAgree(built, model);
    assertThrows(UpcallException.Invalid.class, () -> before.append(new Order("a", -1)));
    assertThrows(UpcallException.Invalid.class, () -> before.update(1, new Order("a", -1)));
    assertThrows(UpcallException.Invalid.class, () -> before.delete(1));
    Order more = new Order("c0", -1);
    model.put(built.append(more), more);
    RecordsTest.assertAgree(orders(), model);
  }

  @Test
  void build_besideATransactionThatAppends_letsOneOfThemHappen() {
    Records<Order> before = store.records("/orders", RecordsTest.ORDER);
    before.append(new Order("a", 1));
    UpcallTransaction late = store.begin();
    before.in(late).append(new Order("a", 2));
    UpcallTransaction later = store.begin();
    before.in(later).update(1, new Order("b", 3));

    Records<Order> built = before.build(RecordsTest.BY_CUSTOMER);

    assertThrows(UpcallException.Conflict.class, late::commit);
    assertThrows(UpcallException.Conflict.class, later::commit);
    assertEquals(1, built.count());
    RecordsTest.assertAgree(
        built.build(RecordsTest.BY_NUMBER), new TreeMap<>(Map.of(1L, new Order("a", 1))));
  }

  @Test
  void build_whileSomebodyAppends_isNotPassedBy() {
    Records<Order> before = store.records("/orders", RecordsTest.ORDER);
    before.append(new Order("a", 1));
    before.append(new Order("b", 2));
    List<UpcallException> refused = new ArrayList<>();
    Index<Order, String> slow =
        Index.of(
            "/slow",
            Codecs.STRING,
            order -> {
              refused.add(
                  assertThrows(
                      UpcallException.Invalid.class, () -> before.append(new Order("c", 3))));
              refused.add(assertThrows(UpcallException.Invalid.class, () -> before.delete(1)));
              return order.customer();
            });

    Records<Order> built = before.build(slow);

    assertEquals(4, refused.size());
    assertTrue(refused.getFirst().getMessage().contains("is being built"), refused::toString);
    assertEquals(2, built.count());
    assertEquals(1, built.find(slow, "b").count());
  }

  @Test
  void build_ofWhichTheProgramEnds_isGivenUpByTheNextOpening() {
    Records<Order> before = store.records("/orders", RecordsTest.ORDER);
    before.append(new Order("a", 1));
    new RecordIds(store, before.path(), List.of()).close();
    UpcallException refused =
        assertThrows(UpcallException.Invalid.class, () -> before.append(new Order("b", 2)));
    assertTrue(refused.getMessage().contains("its building has stopped"), refused.getMessage());

    Records<Order> again = store.records("/orders", RecordsTest.ORDER);

    again.append(new Order("c", 3));
    before.append(new Order("d", 4));
    assertEquals(3, again.count());
    Map<Long, Order> model = new TreeMap<>();
    again.scan().forEach(entry -> model.put(entry.id(), entry.record()));
    RecordsTest.assertAgree(
        again.build(RecordsTest.BY_CUSTOMER).build(RecordsTest.BY_NUMBER), model);
  }

  @Test
  void build_aUniqueIndexOfRecordsThatAreNot_changesNothing() {
    Records<Order> orders = store.records("/orders", RecordsTest.ORDER);
    orders.append(new Order("a", 1));
    orders.append(new Order("b", 1));
    assertThrows(UpcallException.AlreadyExists.class, () -> orders.build(RecordsTest.BY_NUMBER));
    assertFalse(store.exists("/by-number"));
    orders.append(new Order("c", 1));
    assertEquals(3, store.records("/orders", RecordsTest.ORDER).count());
  }
}
