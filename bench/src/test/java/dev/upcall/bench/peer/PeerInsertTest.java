package dev.upcall.bench.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What other stores are asked to insert is there, byte for byte. */
class PeerInsertTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"sqlite", "rocksdb-blobs", "mvstore", "tupl"})
  void bytesComeInAtTheBeginInTheMiddleAndAtTheEnd(String kind) throws Exception {
    Random random = new Random(18);
    byte[] expected = new byte[10_000];
    random.nextBytes(expected);
    try (DurableStore store = DurableStore.open(kind, folder.resolve(kind))) {
      store.put("value", expected);
      for (int offset : new int[] {0, 5_003, 10_000 + 2 * 77}) {
        byte[] bytes = new byte[77];
        random.nextBytes(bytes);
        store.insert("value", offset, bytes);
        byte[] longer = new byte[expected.length + bytes.length];
        System.arraycopy(expected, 0, longer, 0, offset);
        System.arraycopy(bytes, 0, longer, offset, bytes.length);
        System.arraycopy(expected, offset, longer, offset + bytes.length, expected.length - offset);
        expected = longer;
      }

      assertArrayEquals(expected, store.get("value"));
    }
  }
}
