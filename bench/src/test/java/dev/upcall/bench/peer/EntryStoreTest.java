package dev.upcall.bench.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stores that tables are compared with do what ours does: in order of unsigned bytes. */
class EntryStoreTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "rocksdb", "mvstore", "tupl", "lmdb"})
  void entriesAreFoundInOrderAndStay(String kind) throws Exception {
    EntryStore.Room room = new EntryStore.Room(folder.resolve(kind), 8 << 20, 2);
    try (EntryStore store = EntryStore.open(kind, room)) {
      store.put(new byte[] {(byte) 0x80, 1}, new byte[] {1});
      store.putAll(List.of(entry(0x7F, 2), entry(0x01, 3), entry(0xFF, 4)));
      store.load(List.of(entry(0x40, 5), entry(0x01, 6)));
      store.sync();
      assertArrayEquals(new byte[] {6}, store.get(new byte[] {1, 1}));
      assertNull(store.get(new byte[] {1, 2}));
      assertEquals(List.of(5, 2, 1, 4), scan(store, new byte[] {1, 2}, 10));
      assertEquals(List.of(6, 5), scan(store, new byte[] {0}, 2));
    }
    try (EntryStore store = EntryStore.open(kind, room)) {
      assertEquals(List.of(6, 5, 2, 1, 4), scan(store, new byte[] {0}, 10));
    }
  }

  private static EntryStore.Entry entry(int first, int value) {
    return new EntryStore.Entry(new byte[] {(byte) first, 1}, new byte[] {(byte) value});
  }

  private static List<Integer> scan(EntryStore store, byte[] from, int most) throws Exception {
    List<Integer> values = new ArrayList<>();
    int given = store.scan(from, most, (_, value) -> values.add((int) value[0]));
    assertEquals(values.size(), given);
    return values;
  }
}
