package dev.upcall.bench.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.host.MissingPeerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What other stores are asked to insert is there, byte for byte. */
class PeerInsertTest {
  private static final int SIZE = 100_000;

  @TempDir Path folder;

  /** Libraries, and PostgreSQL where it is installed. */
  static List<String> kinds() throws IOException {
    List<String> kinds =
        new ArrayList<>(List.of("sqlite", "rocksdb-blobs", "mvstore", "tupl", "je"));
    try {
      DurableStore.require("postgres", Path.of(System.getProperty("java.io.tmpdir")));
      kinds.add("postgres");
    } catch (MissingPeerException notHere) {
      assertTrue(notHere.getMessage().matches(".*(apt-get install|root).*"), notHere.getMessage());
    }
    return kinds;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void bytesComeInAtTheBeginInTheMiddleAndAtTheEnd(String kind) throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx--x--x"));
    Random random = new Random(18);
    byte[] expected = new byte[SIZE];
    random.nextBytes(expected);
    try (DurableStore store = DurableStore.open(kind, folder.resolve(kind))) {
      store.put("value", expected);
      for (int offset : new int[] {0, 5_003, SIZE + 2 * 77}) {
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
      assertThrows(IOException.class, () -> store.get("another"));
    }
    assertEquals(0, ProcessHandle.current().descendants().filter(PeerInsertTest::isServer).count());
  }

  private static boolean isServer(ProcessHandle process) {
    return process.info().command().orElse("").contains("postgres");
  }

  @Test
  void aServerThatIsNotInstalledIsMissing() {
    System.setProperty("upcall.bench.without", "initdb");
    try {
      MissingPeerException missing =
          assertThrows(MissingPeerException.class, () -> DurableStore.require("postgres", folder));
      assertEquals(
          "initdb is not installed; on Debian: apt-get install postgresql", missing.getMessage());
    } finally {
      System.clearProperty("upcall.bench.without");
    }
  }
}
