package dev.upcall.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.FileContent;
import dev.upcall.Listing.Direction;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.request.Expect;
import dev.upcall.request.FileRequest;
import dev.upcall.request.KeyRange;
import dev.upcall.request.Look;
import dev.upcall.request.TablePage;
import dev.upcall.request.TableRequest;
import dev.upcall.store.Durability;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;

/** Values of any size: as those of a map, as streams, and freed when their entries go. */
class LargeValuesTest extends LargeValues {
  private static final int STEPS = 500;
  private static final int KEYS = 25;
  private static final int LARGEST_INLINE = TableRequest.MAX_VALUE_BYTES;
  private static final int LARGE = 5 << 20;

  // ------------------------------------------------------------------ as a map

  @ParameterizedTest
  @EachEngine
  void valuesOfAllSizes_manySteps_areThoseOfASortedMap(Engine engine) {
    NavigableMap<String, byte[]> model = new TreeMap<>();
    Random random = new Random(19);
    try (Upcall store = open(engine)) {
      SortedTable<String, byte[]> table = table(store).with(Durability.ASYNC);
      for (int step = 0; step < STEPS; step++) {
        change(random, table, model);
        if (step % 50 == 0) {
          compare(model, table);
        }
      }
      store.flush();
      compare(model, table);
      sound(store, large(model));
    }
    try (Upcall store = open(engine)) {
      compare(model, table(store));
      assertEquals(model.size(), table(store).removeRange(Range.all()));
      sound(store, 0);
    }
  }

  private static long large(NavigableMap<String, byte[]> model) {
    return model.values().stream().filter(value -> value.length > LARGEST_INLINE).count();
  }

  private static void change(
      Random random, SortedTable<String, byte[]> table, NavigableMap<String, byte[]> model) {
    String key = "k" + random.nextInt(KEYS);
    byte[] value = bytes(random.nextInt(), size(random));
    byte[] before = model.get(key);
    switch (random.nextInt(9)) {
      case 0 -> assertEquals(model.remove(key) != null, table.remove(key));
      case 1 -> assertEquals(model.putIfAbsent(key, value) == null, table.putIfAbsent(key, value));
      case 2 -> assertEquals(model.replace(key, value) != null, table.replace(key, value));
      case 3 -> {
        byte[] expected = before == null ? new byte[3] : before;
        if (expected.length > LARGEST_INLINE || value.length > LARGEST_INLINE) {
          assertThrows(UpcallException.TooLarge.class, () -> table.replace(key, expected, value));
        } else {
          assertEquals(before != null, table.replace(key, expected, value));
          model.replace(key, value);
        }
      }
      case 4 -> {
        assertFalse(table.remove(key, new byte[] {1, 2, 3}));
        assertFalse(table.replace(key, new byte[] {1, 2, 3}, new byte[1]));
      }
      case 5 -> {
        table.write(key, new ByteArrayInputStream(value));
        model.put(key, value);
      }
      case 6 -> {
        NavigableMap<String, byte[]> gone = model.subMap(key, true, key + "5", false);
        assertEquals(gone.size(), table.removeRange(Range.between(key, key + "5")));
        gone.clear();
      }
      default -> {
        table.put(key, value);
        model.put(key, value);
      }
    }
  }

  private static int size(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> LARGEST_INLINE;
      case 1 -> LARGEST_INLINE + 1;
      case 2 -> random.nextInt(100_000);
      case 3, 4 -> random.nextInt(9000);
      default -> random.nextInt(60);
    };
  }

  private static void compare(
      NavigableMap<String, byte[]> model, SortedTable<String, byte[]> table) {
    assertEquals(model.size(), table.count());
    assertEquals(
        model.entrySet().stream().map(LargeValuesTest::text).toList(),
        table.scan().map(LargeValuesTest::text).toList());
    model.forEach(
        (key, value) -> {
          assertTrue(table.containsKey(key));
          assertArrayEquals(value, table.get(key).orElseThrow());
        });
    assertEquals(
        Optional.ofNullable(model.lastEntry()).map(LargeValuesTest::text),
        table.last().map(LargeValuesTest::text));
    assertEquals(
        Optional.ofNullable(model.higherEntry("k1")).map(LargeValuesTest::text),
        table.higher("k1").map(LargeValuesTest::text));
  }

  private static String text(java.util.Map.Entry<String, byte[]> entry) {
    return entry.getKey() + "=" + Arrays.hashCode(entry.getValue());
  }

  // ------------------------------------------------------------------ as streams

  @ParameterizedTest
  @EachEngine
  void aValueOfAnySize_isStreamedAndReadByRanges(Engine engine) throws IOException {
    byte[] large = bytes(1, LARGE);
    try (Upcall store = open(engine)) {
      SortedTable<String, byte[]> table = table(store);
      table.write("a", new ByteArrayInputStream(large));
      assertArrayEquals(large, table.get("a").orElseThrow());
      try (Upcall.ReadStream stream = table.read("a").orElseThrow()) {
        assertEquals(LARGE, stream.info().sizeBytes());
        table.put("a", new byte[3]);
        assertArrayEquals(large, stream.readAllBytes());
      }
      assertArrayEquals(new byte[2], table.read("a", 1, 5).orElseThrow());
      try (Upcall.PutStream stream = store.put(table.pathOf("a"), PutOptions.DEFAULT)) {
        stream.write(large);
        assertEquals(3, table.get("a").orElseThrow().length);
        stream.commit();
      }
      assertArrayEquals(
          Arrays.copyOfRange(large, 70_000, 70_100), table.read("a", 70_000, 100).orElseThrow());
      try (SeekableByteChannel channel = store.newByteChannel(table.pathOf("a"))) {
        ByteBuffer into = ByteBuffer.allocate(10);
        channel.position(LARGE - 4).read(into);
        assertEquals(4, into.position());
      }
      try (Upcall.PutStream given = store.put(table.pathOf("b"), PutOptions.DEFAULT)) {
        given.write(large, 0, 100_000);
      }
      assertEquals(Optional.empty(), table.get("b"));
      assertTrue(table.read("b").isEmpty());
      assertTrue(table.read("b", 0, 1).isEmpty());
      sound(store, 1);
      store.delete("/t");
      assertThrows(UpcallException.NotFound.class, () -> table.read("a"));
      assertThrows(UpcallException.NotFound.class, () -> table.put("a", large));
    }
  }

  @ParameterizedTest
  @EachEngine
  void hashTables_haveThemToo(Engine engine) {
    byte[] large = bytes(2, 200_000);
    try (Upcall store = open(engine)) {
      HashTable<String, byte[]> table = store.hashTable("/t", Codecs.STRING, Codecs.BYTES);
      table.put("a", large);
      assertArrayEquals(large, table.get("a").orElseThrow());
      table.write("b", new ByteArrayInputStream(large));
      assertArrayEquals(Arrays.copyOfRange(large, 9, 11), table.read("b", 9, 2).orElseThrow());
      assertArrayEquals(large, store.readAllBytes(table.pathOf("b")));
      assertEquals(2, table.scan().count());
      assertEquals(2, table.clear());
      sound(store, 0);
    }
  }

  // ------------------------------------------------------------------ batches

  @ParameterizedTest
  @EachEngine
  void batches_ofLargeAndSmall_areAllOrNothing(Engine engine) {
    byte[] large = bytes(6, 30_000);
    try (Upcall store = open(engine)) {
      table(store);
      StorePath at = StorePath.of("/t");
      byte[] a = {1};
      byte[] b = {2};
      store.batch(
          List.of(
              TableRequest.put(at, a, large, Expect.ABSENT),
              TableRequest.put(at, a, new byte[5], Expect.PRESENT),
              TableRequest.put(at, b, new byte[5], Expect.ANY),
              TableRequest.put(at, b, large, Expect.PRESENT)));
      assertEquals(5, store.ask(new Look.Entry("/t", a)).orElseThrow().length);
      assertArrayEquals(large, store.readAllBytes(at.entry(b)));
      assertThrows(
          UpcallException.AlreadyExists.class,
          () ->
              store.batch(
                  List.of(
                      TableRequest.put(at, a, large, Expect.ANY),
                      TableRequest.put(at, b, large, Expect.ABSENT))));
      assertThrows(
          UpcallException.NotFound.class,
          () -> store.ask(TableRequest.put(at, new byte[] {3}, large, Expect.PRESENT)));
      assertEquals(5, store.ask(new Look.Entry("/t", a)).orElseThrow().length);
      sound(store, 1);
    }
  }

  // ------------------------------------------------------------------ what is refused

  @ParameterizedTest
  @EachEngine
  void thePathOfAValue_isForItsContentAndNothingElse(Engine engine) {
    try (Upcall store = open(engine)) {
      SortedTable<String, byte[]> table = table(store);
      table.put("a", new byte[5000]);
      StorePath path = table.pathOf("a");
      assertEquals("entry 0x61 of /t", path.toString());
      assertEquals(StorePath.of("/t"), path.parent());
      assertFalse(path.equals(path.parent()));
      assertThrows(UpcallException.Invalid.class, () -> store.stat(path));
      assertThrows(UpcallException.Invalid.class, () -> store.exists(path));
      assertThrows(UpcallException.Invalid.class, () -> store.delete(path));
      assertThrows(UpcallException.Invalid.class, () -> store.deleteTree(path));
      assertThrows(UpcallException.Invalid.class, () -> store.rename(path, "/x"));
      assertThrows(UpcallException.Invalid.class, () -> store.cloneFile(path, "/x"));
      assertThrows(UpcallException.Invalid.class, () -> store.insert(path, 0, new byte[1]));
      assertThrows(UpcallException.Invalid.class, () -> store.append(path, new byte[1]));
      assertThrows(
          UpcallException.Invalid.class, () -> store.open(path, OpenMode.EXISTING).close());
      PutOptions withMode = PutOptions.DEFAULT.withMetadata(MetadataChange.NONE.withMode(0600));
      assertThrows(UpcallException.Invalid.class, () -> store.write(path, new byte[5], withMode));
      assertThrows(UpcallException.Invalid.class, () -> StorePath.of("/t").entry(new byte[0]));
      assertThrows(UpcallException.TooLarge.class, () -> StorePath.of("/t").entry(new byte[289]));
      assertThrows(UpcallException.NotFound.class, () -> store.readAllBytes(table.pathOf("none")));
      assertThrows(
          UpcallException.Invalid.class,
          () -> {
            store.write("/file", new byte[1]);
            store.readAllBytes(StorePath.of("/file").entry(new byte[] {1}));
          });
      assertEquals(5000, table.get("a").orElseThrow().length);
    }
  }

  @ParameterizedTest
  @EachEngine
  void whatIsTooLarge_saysSo_andIsNeverTakenForEmpty(Engine engine) {
    try (Upcall store = open(engine)) {
      table(store).put("a", new byte[5000]);
      byte[] key = {'a'};
      assertThrows(UpcallException.TooLarge.class, () -> store.ask(new Look.Entry("/t", key)));
      TablePage page = store.ask(new Look.Entries("/t", KeyRange.ALL, Direction.ASCENDING, 10));
      TablePage.Entry entry = page.entries().getFirst();
      assertTrue(entry.isContent());
      assertEquals(5000, entry.valueBytes());
      assertThrows(UpcallException.TooLarge.class, entry::value);
      byte[] tooLarge = new byte[LARGEST_INLINE + 1];
      assertThrows(UpcallException.TooLarge.class, () -> Expect.value(tooLarge));
      assertThrows(
          UpcallException.TooLarge.class, () -> new TableRequest.PutEntry("/t", key, tooLarge));
      assertThrows(
          UpcallException.TooLarge.class,
          () -> TableRequest.put(StorePath.of("/t"), key, tooLarge, Expect.value(new byte[1])));
      Records<byte[]> records = store.records("/records", Codecs.BYTES);
      assertThrows(UpcallException.TooLarge.class, () -> records.append(tooLarge));
      FileRequest small =
          new FileRequest.Put(StorePath.of("/t").entry(key), new FileContent.Bytes(new byte[] {7}));
      store.change(small);
      assertArrayEquals(new byte[] {7}, store.ask(new Look.Entry("/t", key)).orElseThrow());
    }
  }
}
