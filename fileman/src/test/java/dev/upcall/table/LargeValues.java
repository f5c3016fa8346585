package dev.upcall.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.fileman.blocking.Verified;
import dev.upcall.store.VerifyReport;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;

/** A volume with a table of values of any size, and the verification of both. */
abstract class LargeValues {
  @TempDir Path folder;

  Path volume() {
    return folder.resolve("s.upcall");
  }

  Upcall open(Engine engine) {
    return Upcall.openOrCreate(
        volume(),
        UpcallConfig.DEFAULT
            .withMemoryBytes(32L << 20)
            .withCapBytes(256L << 20)
            .withEngine(engine));
  }

  static SortedTable<String, byte[]> table(Upcall store) {
    return store.sortedTable("/t", Codecs.STRING, Codecs.BYTES);
  }

  static byte[] bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static VerifyReport verified(Upcall store) {
    return Verified.of(store);
  }

  /** Segments besides the entries themselves: the root, the table, and contents. */
  static void sound(Upcall store, long contents) {
    VerifyReport report = verified(store);
    assertTrue(report.isSound(), report::toString);
    assertEquals(2 + contents, report.segments(), report::toString);
  }
}
