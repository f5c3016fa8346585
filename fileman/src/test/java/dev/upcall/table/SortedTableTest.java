package dev.upcall.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Listing.Direction;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Tables with types under each engine: as a map of the JDK, and typed failures. */
class SortedTableTest {
  private static final int STEPS = 4000;
  private static final int KEYS = 60;

  @TempDir Path folder;

  private Upcall open(Engine engine) {
    return Upcall.openOrCreate(
        folder.resolve("s.upcall"),
        UpcallConfig.DEFAULT.withMemoryBytes(32L << 20).withEngine(engine));
  }

  private static SortedTable<Integer, String> numbers(Upcall store) {
    return store.sortedTable("/a/numbers", Codecs.INT, Codecs.STRING).with(Durability.ASYNC);
  }

  @ParameterizedTest
  @EachEngine
  void allMethods_manyStepsByChance_areThoseOfASortedMap(Engine engine) {
    NavigableMap<Integer, String> model = new TreeMap<>();
    Random random = new Random(17);
    try (Upcall store = open(engine)) {
      SortedTable<Integer, String> table = numbers(store);
      for (int step = 0; step < STEPS; step++) {
        change(random, table, model, step);
        look(random, table, model);
      }
    }
    try (Upcall store = open(engine)) {
      assertEquals(List.copyOf(model.entrySet()), numbers(store).scan().toList());
    }
  }

  private static void change(
      Random random,
      SortedTable<Integer, String> table,
      NavigableMap<Integer, String> model,
      int step) {
    int key = random.nextInt(KEYS) - KEYS / 2;
    String value = "v" + random.nextInt(3);
    String after = "w" + step;
    boolean isThis = value.equals(model.get(key));
    switch (random.nextInt(step % 97 == 0 ? 8 : 7)) {
      case 0 -> {
        table.put(key, value);
        model.put(key, value);
      }
      case 1 -> assertEquals(model.remove(key) != null, table.remove(key));
      case 2 -> assertEquals(model.putIfAbsent(key, value) == null, table.putIfAbsent(key, value));
      case 3 -> assertEquals(model.replace(key, value) != null, table.replace(key, value));
      case 4 -> {
        assertEquals(isThis, table.replace(key, value, after));
        if (isThis) {
          model.put(key, after);
        }
      }
      case 5 -> {
        assertEquals(isThis, table.remove(key, value));
        if (isThis) {
          model.remove(key);
        }
      }
      case 6 -> assertEquals(Optional.ofNullable(model.get(key)), table.get(key));
      default -> {
        NavigableMap<Integer, String> gone = model.subMap(key, true, key + 9, false);
        assertEquals(gone.size(), table.removeRange(Range.between(key, key + 9)));
        gone.clear();
      }
    }
  }

  private static void look(
      Random random, SortedTable<Integer, String> table, NavigableMap<Integer, String> model) {
    int key = random.nextInt(KEYS + 2) - KEYS / 2 - 1;
    switch (random.nextInt(12)) {
      case 0 -> assertEquals(copy(model.firstEntry()), table.first());
      case 1 -> assertEquals(copy(model.lastEntry()), table.last());
      case 2 -> assertEquals(copy(model.floorEntry(key)), table.floor(key));
      case 3 -> assertEquals(copy(model.ceilingEntry(key)), table.ceiling(key));
      case 4 -> assertEquals(copy(model.lowerEntry(key)), table.lower(key));
      case 5 -> assertEquals(copy(model.higherEntry(key)), table.higher(key));
      case 6 -> assertEquals(model.size(), table.count());
      case 7 -> assertEquals(model.containsKey(key), table.containsKey(key));
      case 8 ->
          assertEquals(
              List.copyOf(model.tailMap(key, true).entrySet()),
              table.scan(Range.from(key)).toList());
      case 9 ->
          assertEquals(
              List.copyOf(model.headMap(key, true).descendingMap().entrySet()),
              table.scan(Range.through(key), Direction.DESCENDING).toList());
      case 10 ->
          assertEquals(
              List.copyOf(model.subMap(key, false, key + 5, false).entrySet()),
              table.scan(Range.above(key).and(Range.below(key + 5))).toList());
      default ->
          assertEquals(
              model.tailMap(key, true).entrySet().stream().limit(3).toList(),
              table.page(Range.from(key), Direction.ASCENDING, 3));
    }
  }

  private static Optional<Map.Entry<Integer, String>> copy(
      Map.@Nullable Entry<Integer, String> entry) {
    return Optional.ofNullable(entry).map(Map.Entry::copyOf);
  }

  @ParameterizedTest
  @EachEngine
  void scan_prefixesOfTextsAndPairs_selectExactlyTheirs(Engine engine) {
    try (Upcall store = open(engine)) {
      SortedTable<String, Integer> texts = store.sortedTable("/t", Codecs.STRING, Codecs.INT);
      for (String key : List.of("a", "ab", "ab/1", "ab/2", "ac", "b")) {
        texts.put(key, key.length());
      }
      assertEquals(
          List.of("ab", "ab/1", "ab/2"),
          texts.scan(Range.startingWith("ab")).map(Map.Entry::getKey).toList());
      PairCodec<String, Integer> pairs = Codecs.pair(Codecs.STRING, Codecs.INT);
      SortedTable<Pair<String, Integer>, Boolean> table =
          store.sortedTable("/p", pairs, Codecs.BOOLEAN);
      for (String first : List.of("a", "ab", "a\0", "b")) {
        table.put(new Pair<>(first, 1), true);
        table.put(new Pair<>(first, 2), false);
      }
      assertEquals(
          List.of(Map.entry(new Pair<>("a", 1), true), Map.entry(new Pair<>("a", 2), false)),
          table.scan(Range.prefix(pairs.prefix("a"))).toList());
    }
  }

  @ParameterizedTest
  @EachEngine
  void manyEntries_pagesAndRemovalOfARange_areAll(Engine engine) {
    try (Upcall store = open(engine)) {
      SortedTable<Integer, byte[]> table =
          store.sortedTable("/t", Codecs.INT, Codecs.BYTES).with(Durability.ASYNC);
      int many = 5000;
      for (int i = 0; i < many; i++) {
        table.put(i, new byte[100]);
      }
      assertEquals(
          java.util.stream.IntStream.range(0, many).boxed().toList(),
          table.scan().map(Map.Entry::getKey).toList());
      assertEquals(
          many - 1,
          table.scan(Range.all(), Direction.DESCENDING).findFirst().orElseThrow().getKey());
      assertEquals(many - 20, table.removeRange(Range.between(10, many - 10)));
      assertEquals(20, table.count());
    }
  }

  @ParameterizedTest
  @EachEngine
  void removeRange_moreThanOneCommitOfASmallVolumeTakes_removesAll(Engine engine) {
    try (Upcall store =
        Upcall.create(
            folder.resolve("small.upcall"),
            UpcallConfig.DEFAULT
                .withMemoryBytes(32L << 20)
                .withCapBytes(64L << 20)
                .withEngine(engine))) {
      SortedTable<String, Integer> table =
          store.sortedTable("/t", Codecs.STRING, Codecs.INT).with(Durability.ASYNC);
      String longKey = "k".repeat(270);
      for (int i = 0; i < 4000; i++) {
        table.put(longKey + i, i);
      }
      assertEquals(4000, table.removeRange(Range.all()));
      assertEquals(0, table.count());
    }
  }

  @ParameterizedTest
  @EachEngine
  void open_anotherKindUnderTheName_isTyped(Engine engine) {
    try (Upcall store = open(engine)) {
      store.write("/file", new byte[1]);
      store.createDirectory("/directory");
      store.hashTable("/hashed", Codecs.INT, Codecs.INT);
      assertThrows(UpcallException.Invalid.class, () -> text(store, "/file"));
      assertThrows(UpcallException.IsADirectory.class, () -> text(store, "/directory"));
      assertThrows(UpcallException.NotADirectory.class, () -> text(store, "/file/t"));
      assertThrows(UpcallException.Invalid.class, () -> text(store, "t"));
      assertTrue(
          assertThrows(UpcallException.Invalid.class, () -> text(store, "/hashed"))
              .getMessage()
              .contains("hashed"));
      assertEquals(0, store.hashTable("/hashed", Codecs.INT, Codecs.INT).count());
    }
  }

  @ParameterizedTest
  @EachEngine
  void changes_outOfBounds_areTypedAndChangeNothing(Engine engine) {
    try (Upcall store = open(engine)) {
      SortedTable<String, byte[]> table = store.sortedTable("/t", Codecs.STRING, Codecs.BYTES);
      table.put("a", new byte[1]);
      String longest = "k".repeat(TableRequest.MAX_KEY_BYTES);
      byte[] largest = new byte[TableRequest.MAX_VALUE_BYTES];
      table.put(longest, largest);
      assertThrows(UpcallException.TooLarge.class, () -> table.put(longest + "k", largest));
      assertThrows(UpcallException.TooLarge.class, () -> table.get(longest + "k"));
      assertThrows(UpcallException.Invalid.class, () -> table.put("", largest));
      assertThrows(UpcallException.Invalid.class, () -> table.put("\uD800", largest));
      assertEquals(2, table.count());
    }
  }

  @ParameterizedTest
  @EachEngine
  void codecs_thatThrow_areInvalidAndChangeNothing(Engine engine) {
    Codec<String> numbersOnly =
        Codecs.INT.map(
            String::valueOf,
            text -> {
              if (text.isEmpty()) {
                throw new IllegalStateException("empty");
              }
              return Integer.parseInt(text);
            });
    try (Upcall store = open(engine)) {
      SortedTable<String, String> table = store.sortedTable("/t", numbersOnly, numbersOnly);
      table.put("1", "2");
      UpcallException.Invalid refused =
          assertThrows(UpcallException.Invalid.class, () -> table.put("2", ""));
      assertInstanceOf(IllegalStateException.class, refused.getCause());
      assertThrows(UpcallException.Invalid.class, () -> table.put("x", "2"));
      assertThrows(UpcallException.Invalid.class, () -> table.replace("1", "x", "3"));
      assertEquals(List.of(Map.entry("1", "2")), table.scan().toList());
      store.sortedTable("/t", Codecs.INT, Codecs.STRING).put(3, "three");
      UpcallException.Invalid unread =
          assertThrows(UpcallException.Invalid.class, () -> table.get("3"));
      assertInstanceOf(IllegalArgumentException.class, unread.getCause());
    }
  }

  @ParameterizedTest
  @EachEngine
  void aTableThatIsGone_isNotFound(Engine engine) {
    try (Upcall store = open(engine)) {
      SortedTable<Integer, String> table = numbers(store);
      table.put(1, "one");
      store.delete("/a/numbers");
      assertThrows(UpcallException.NotFound.class, () -> table.get(1));
      assertThrows(UpcallException.NotFound.class, () -> table.put(1, "one"));
      assertThrows(UpcallException.NotFound.class, () -> table.remove(1));
      assertThrows(UpcallException.NotFound.class, () -> table.replace(1, "one"));
      assertThrows(UpcallException.NotFound.class, table::count);
      assertFalse(store.exists("/a/numbers"));
    }
  }

  @ParameterizedTest
  @EachEngine
  void hashTable_manyKeys_isAMapWithoutOrder(Engine engine) {
    Map<String, Integer> model = new TreeMap<>();
    try (Upcall store = open(engine)) {
      HashTable<String, Integer> table =
          store.hashTable("/h", Codecs.STRING, Codecs.INT).with(Durability.ASYNC);
      for (int i = 0; i < 1000; i++) {
        String key = "key" + i % 700;
        if (i % 5 == 4) {
          assertEquals(model.remove(key) != null, table.remove(key));
        } else {
          table.put(key, i);
          model.put(key, i);
        }
      }
      assertEquals(model.size(), table.count());
      model.forEach((key, value) -> assertEquals(Optional.of(value), table.get(key)));
      Map<String, Integer> scanned = new TreeMap<>();
      List<String> order = table.scan().map(Map.Entry::getKey).toList();
      table.scan().forEach(entry -> scanned.put(entry.getKey(), entry.getValue()));
      assertEquals(model, scanned);
      assertFalse(order.equals(order.stream().sorted().toList()));
      String absent = "absent";
      assertTrue(table.putIfAbsent(absent, 1));
      assertFalse(table.putIfAbsent(absent, 2));
      assertTrue(table.replace(absent, 3));
      assertFalse(table.replace(absent, 1, 4));
      assertTrue(table.replace(absent, 3, 4));
      assertFalse(table.remove(absent, 3));
      assertTrue(table.remove(absent, 4));
      assertFalse(table.containsKey(absent));
      String longest = "k".repeat(HashTable.MAX_KEY_BYTES);
      table.put(longest, 1);
      assertEquals(Optional.of(1), table.get(longest));
      assertThrows(UpcallException.TooLarge.class, () -> table.put(longest + "k", 1));
      assertEquals(model.size() + 1, table.clear());
      assertEquals(0, table.count());
    }
  }

  private static SortedTable<String, String> text(Upcall store, String path) {
    return store.sortedTable(path, Codecs.STRING, Codecs.STRING);
  }
}
