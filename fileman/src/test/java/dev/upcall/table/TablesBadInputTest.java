package dev.upcall.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Existence;
import dev.upcall.FsmUpcall;
import dev.upcall.Listing.Direction;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.UpcallTransaction;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.store.Durability;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Bad requests of tables get a typed failure, and change nothing. */
class TablesBadInputTest {
  private static final int MORE_THAN_A_PAGE = 600;
  private static final Index<String, Integer> BY_LENGTH =
      Index.of("/by-length", Codecs.INT, String::length);

  /** Refuses what is negative, whatever it is asked. */
  private static final Codec<Integer> NOT_NEGATIVE =
      Codecs.INT.map(TablesBadInputTest::checked, TablesBadInputTest::checked);

  @TempDir Path folder;

  private Upcall open(Engine engine) {
    return Upcall.openOrCreate(
        folder.resolve("s.upcall"),
        UpcallConfig.DEFAULT.withMemoryBytes(32L << 20).withEngine(engine));
  }

  private static int checked(int number) {
    if (number < 0) {
      throw new IllegalStateException("negative");
    }
    return number;
  }

  private static void invalid(Executable asked) {
    assertThrows(UpcallException.Invalid.class, asked);
  }

  private static void notFound(Executable asked) {
    assertThrows(UpcallException.NotFound.class, asked);
  }

  private static void closed(Executable asked) {
    assertThrows(UpcallException.Closed.class, asked);
  }

  // ------------------------------------------------------------------ a table that goes away

  @ParameterizedTest
  @EachEngine
  void aTableThatIsDeletedUnderACursor_isNotFoundAtTheNextPage(Engine engine) {
    try (Upcall store = open(engine)) {
      SortedTable<Integer, Integer> table = filled(store);
      Iterator<Map.Entry<Integer, Integer>> up = table.scan().iterator();
      Iterator<Map.Entry<Integer, Integer>> down =
          table.scan(Range.all(), Direction.DESCENDING).iterator();
      assertEquals(Map.entry(0, 0), up.next());
      assertEquals(MORE_THAN_A_PAGE - 1, down.next().getKey());
      store.delete("/t");
      notFound(() -> up.forEachRemaining(entry -> {}));
      notFound(() -> down.forEachRemaining(entry -> {}));
      notFound(() -> table.removeRange(Range.all()));
      notFound(() -> table.page(Range.all(), Direction.ASCENDING, 1));
    }
  }

  /** A cursor has no table, only its path. */
  @ParameterizedTest
  @EachEngine
  void aTableThatIsReplacedUnderACursor_isReadOnFromThere(Engine engine) {
    try (Upcall store = open(engine)) {
      Iterator<Map.Entry<Integer, Integer>> entries = filled(store).scan().iterator();
      assertEquals(Map.entry(0, 0), entries.next());
      store.delete("/t");
      SortedTable<Integer, Integer> other = store.sortedTable("/t", Codecs.INT, Codecs.INT);
      other.put(1, -1);
      other.put(MORE_THAN_A_PAGE, -1);
      Map.Entry<Integer, Integer> last = null;
      while (entries.hasNext()) {
        last = entries.next();
      }
      assertEquals(Map.entry(MORE_THAN_A_PAGE, -1), last);
    }
  }

  @ParameterizedTest
  @EachEngine
  void recordsThatAreDeletedUnderACursor_areNotFound(Engine engine) {
    try (Upcall store = open(engine)) {
      Records<String> records = store.records("/r", Codecs.STRING, List.of(BY_LENGTH));
      for (int i = 0; i < MORE_THAN_A_PAGE; i++) {
        records.with(Durability.ASYNC).append("record");
      }
      Iterator<Records.Entry<String>> all = records.scan().iterator();
      Iterator<Records.Entry<String>> found = records.find(BY_LENGTH, 6).iterator();
      assertEquals(1, all.next().id());
      assertEquals(1, found.next().id());
      store.delete("/r");
      notFound(() -> all.forEachRemaining(entry -> {}));
      notFound(() -> found.forEachRemaining(entry -> {}));
      notFound(() -> records.append("more"));
      notFound(() -> records.update(1, "other"));
      notFound(() -> records.delete(1));
      notFound(records::count);
    }
  }

  @ParameterizedTest
  @EachEngine
  void anotherKindUnderTheNameOfATable_isTyped(Engine engine) {
    try (Upcall store = open(engine)) {
      SortedTable<Integer, Integer> table = filled(store);
      HashTable<Integer, Integer> hashed = store.hashTable("/h", Codecs.INT, Codecs.INT);
      store.delete("/t");
      store.delete("/h");
      store.write("/t", new byte[3]);
      store.createDirectory("/h");
      invalid(() -> table.get(1));
      invalid(() -> table.put(1, 1));
      invalid(() -> table.scan());
      invalid(() -> table.removeRange(Range.all()));
      assertThrows(UpcallException.IsADirectory.class, () -> hashed.get(1));
      assertThrows(UpcallException.IsADirectory.class, () -> hashed.put(1, 1));
      invalid(() -> store.records("/t", Codecs.STRING));
      assertThrows(UpcallException.IsADirectory.class, () -> store.records("/h", Codecs.STRING));
      store.sortedTable("/sorted", Codecs.INT, Codecs.INT).put(1, 1);
      invalid(() -> store.hashTable("/sorted", Codecs.INT, Codecs.INT));
      invalid(() -> store.records("/sorted", Codecs.STRING));
      invalid(() -> store.rename("/t", "/sorted", Existence.ANY));
      assertEquals(1, store.sortedTable("/sorted", Codecs.INT, Codecs.INT).count());
      assertEquals(3, store.readAllBytes("/t").length);
    }
  }

  // ------------------------------------------------------------------ codecs

  @ParameterizedTest
  @EachEngine
  void aCodecThatThrows_costsWhatItIsAskedAndNothingElse(Engine engine) {
    try (Upcall store = open(engine)) {
      SortedTable<Integer, Integer> plain = store.sortedTable("/t", Codecs.INT, Codecs.INT);
      SortedTable<Integer, Integer> table = store.sortedTable("/t", NOT_NEGATIVE, NOT_NEGATIVE);
      plain.put(-1, 1);
      plain.put(1, 1);
      plain.put(2, -1);
      invalid(() -> table.get(-1));
      invalid(() -> table.put(-1, 1));
      invalid(() -> table.put(3, -1));
      invalid(() -> table.remove(-1));
      invalid(() -> table.removeRange(Range.from(-1)));
      invalid(() -> table.page(Range.below(-1), Direction.ASCENDING, 1));
      invalid(() -> table.get(2));
      invalid(table::first);
      invalid(() -> table.scan().forEach(entry -> {}));
      invalid(() -> table.scan(Range.all(), Direction.DESCENDING).forEach(entry -> {}));
      assertEquals(1, table.get(1).orElseThrow());
      assertEquals(3, table.count());
      Codec<Integer> ofNull = Codecs.of(number -> null, bytes -> null);
      SortedTable<Integer, Integer> ofNulls = store.sortedTable("/t", Codecs.INT, ofNull);
      invalid(() -> ofNulls.put(1, 1));
      invalid(() -> ofNulls.get(1));
      assertEquals(1, plain.get(1).orElseThrow());
    }
  }

  @ParameterizedTest
  @EachEngine
  void codecsOfRecordsAndHashTables_thatThrow_areInvalid(Engine engine) {
    Index<Integer, Integer> byNumber =
        Index.unique("/by-number", NOT_NEGATIVE, number -> number - 9);
    try (Upcall store = open(engine)) {
      Records<Integer> records = store.records("/r", NOT_NEGATIVE, List.of(byNumber));
      long id = records.append(10);
      invalid(() -> records.append(-1));
      invalid(() -> records.append(8));
      invalid(() -> records.update(id, 8));
      invalid(() -> records.find(byNumber, -1));
      assertEquals(1, records.count());
      assertEquals(10, records.find(byNumber, 1).findFirst().orElseThrow().record());
      HashTable<Integer, Integer> table = store.hashTable("/h", NOT_NEGATIVE, NOT_NEGATIVE);
      store.hashTable("/h", Codecs.INT, Codecs.INT).put(1, -1);
      invalid(() -> table.put(-1, 1));
      invalid(() -> table.get(-1));
      invalid(() -> table.get(1));
      invalid(() -> table.scan().forEach(entry -> {}));
      assertEquals(1, table.count());
    }
  }

  // ------------------------------------------------------------------ bounds

  @ParameterizedTest
  @EachEngine
  void numbersOutOfBounds_areInvalid(Engine engine) {
    try (Upcall store = open(engine)) {
      SortedTable<String, byte[]> table = store.sortedTable("/t", Codecs.STRING, Codecs.BYTES);
      table.put("a", new byte[5000]);
      for (int limit : new int[] {0, -1, 513, Integer.MAX_VALUE}) {
        invalid(() -> table.page(Range.all(), Direction.ASCENDING, limit));
      }
      invalid(() -> table.read("a", -1, 10));
      invalid(() -> table.read("a", 0, -1));
      assertEquals(0, table.read("a", Long.MAX_VALUE, 10).orElseThrow().length);
      assertTrue(table.read("b", 0, 10).isEmpty());
      HashTable<byte[], byte[]> hashed = store.hashTable("/h", Codecs.BYTES, Codecs.BYTES);
      hashed.put(new byte[0], new byte[1]);
      hashed.put(new byte[HashTable.MAX_KEY_BYTES], new byte[1]);
      byte[] tooLong = new byte[HashTable.MAX_KEY_BYTES + 1];
      assertThrows(UpcallException.TooLarge.class, () -> hashed.put(tooLong, new byte[1]));
      assertThrows(UpcallException.TooLarge.class, () -> hashed.get(tooLong));
      assertThrows(UpcallException.TooLarge.class, () -> hashed.remove(tooLong));
      assertEquals(2, hashed.count());
      Records<byte[]> records = store.records("/r", Codecs.BYTES);
      invalid(() -> records.read(0));
      invalid(() -> records.update(-1, new byte[1]));
      invalid(() -> records.delete(Long.MIN_VALUE));
      assertTrue(records.read(Long.MAX_VALUE).isEmpty());
    }
  }

  // ------------------------------------------------------------------ after the end

  @Test
  void aTransactionAndASnapshot_afterTheirEnds_areClosed() {
    try (FsmUpcall store = open(Engine.FSM).fsm()) {
      HashTable<Integer, Integer> table = store.hashTable("/h", Codecs.INT, Codecs.INT);
      Records<String> records = store.records("/r", Codecs.STRING, List.of(BY_LENGTH));
      long id = records.append("record");
      table.put(1, 1);
      UpcallTransaction transaction = store.begin();
      transaction.rollback();
      closed(() -> table.in(transaction).get(1));
      closed(() -> table.in(transaction).put(1, 2));
      closed(() -> table.in(transaction).clear());
      closed(() -> records.in(transaction).append("other"));
      closed(() -> records.in(transaction).read(id));
      closed(() -> records.in(transaction).update(id, "other"));
      closed(() -> records.in(transaction).delete(id));
      closed(() -> records.in(transaction).find(BY_LENGTH, 6));
      closed(() -> records.in(transaction).count());
      UpcallSnapshot snapshot = store.snapshot();
      snapshot.close();
      closed(() -> table.in(snapshot).get(1));
      closed(() -> table.in(snapshot).scan());
      closed(() -> records.in(snapshot).read(id));
      closed(() -> records.in(snapshot).find(BY_LENGTH, 6));
      assertEquals(1, records.find(BY_LENGTH, 6).count());
      assertEquals(1, table.get(1).orElseThrow());
    }
  }

  @ParameterizedTest
  @EachEngine
  void aStore_afterItsEnd_isClosed(Engine engine) {
    Upcall store = open(engine);
    SortedTable<Integer, Integer> table = filled(store);
    Records<String> records = store.records("/r", Codecs.STRING, List.of(BY_LENGTH));
    records.append("record");
    Iterator<Map.Entry<Integer, Integer>> entries = table.scan().iterator();
    entries.next();
    store.close();
    closed(() -> table.get(1));
    closed(() -> table.put(1, 2));
    closed(() -> entries.forEachRemaining(entry -> {}));
    closed(() -> records.append("other"));
    closed(() -> records.find(BY_LENGTH, 6));
    closed(() -> store.sortedTable("/t", Codecs.INT, Codecs.INT));
  }

  private static SortedTable<Integer, Integer> filled(Upcall store) {
    SortedTable<Integer, Integer> table = store.sortedTable("/t", Codecs.INT, Codecs.INT);
    for (int i = 0; i < MORE_THAN_A_PAGE; i++) {
      table.with(Durability.ASYNC).put(i, i);
    }
    return table;
  }
}
