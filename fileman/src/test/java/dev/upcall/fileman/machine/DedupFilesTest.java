package dev.upcall.fileman.machine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Dedup;
import dev.upcall.store.StoreInfo;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files share what others have. */
class DedupFilesTest {
  private static final int SIZE = 1 << 20;
  private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(64 << 20);

  @TempDir Path folder;

  private static byte[] bytes(int seed) {
    byte[] bytes = new byte[SIZE];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  private static long usedBytes(Upcall store) {
    store.checkpoint();
    StoreInfo info = store.info();
    return info.sizeBytes() - info.freeBytes();
  }

  private static long taken(Upcall store, Runnable change) {
    long before = usedBytes(store);
    change.run();
    return usedBytes(store) - before;
  }

  private Upcall create(UpcallConfig config) {
    return Upcall.create(folder.resolve("v"), config);
  }

  /** Three of four files are there already: the device holds a quarter, within 3 percent. */
  @Test
  void threeQuartersOfDuplicatesLeaveAQuarter() {
    try (Upcall store = create(CONFIG)) {
      store.createDirectories("/d");
      store.setMetadata("/d", LinkPolicy.FOLLOW, MetadataChange.NONE.withDedup(Dedup.FILE));
      int files = 32;
      long taken =
          taken(
              store,
              () -> {
                for (int i = 0; i < files; i++) {
                  store.write("/d/" + i, bytes(i / 4));
                }
              });
      double quarters = taken / (files / 4.0 * SIZE);
      assertTrue(quarters > 0.97 && quarters < 1.03, () -> "a quarter times " + quarters);
      for (int i = 0; i < files; i++) {
        assertArrayEquals(bytes(i / 4), store.readAllBytes("/d/" + i));
      }
    }
  }

  @Test
  void theNearestChoiceCounts() {
    UpcallConfig shares = CONFIG.withContent(ContentConfig.DEFAULT.withDedup(Dedup.FILE));
    byte[] content = bytes(1);
    try (Upcall store = create(shares)) {
      store.createDirectories("/none/file");
      store.setMetadata("/none", LinkPolicy.FOLLOW, MetadataChange.NONE.withDedup(Dedup.NONE));
      store.setMetadata("/none/file", LinkPolicy.FOLLOW, MetadataChange.NONE.withDedup(Dedup.FILE));
      store.write("/a", content);
      assertTrue(taken(store, () -> store.write("/b", content)) < SIZE / 2);
      assertTrue(taken(store, () -> store.write("/none/c", content)) > SIZE / 2);
      assertTrue(taken(store, () -> store.write("/none/file/d", content)) < SIZE / 2);
      PutOptions file = PutOptions.DEFAULT.withDedup(Dedup.FILE);
      assertTrue(taken(store, () -> store.write("/none/e", content, file)) < SIZE / 2);
      assertEquals(Optional.empty(), store.stat("/a").dedup());
      assertEquals(Optional.of(Dedup.NONE), store.stat("/none/c").dedup());
      assertEquals(Optional.of(Dedup.FILE), store.stat("/none/file/d").dedup());
      assertEquals(Optional.of(Dedup.FILE), store.stat("/none/e").dedup());
    }
    try (Upcall store = Upcall.open(folder.resolve("v"), CONFIG)) {
      assertTrue(taken(store, () -> store.write("/g", content)) > SIZE / 2);
      assertArrayEquals(content, store.readAllBytes("/b"));
    }
  }

  /** A transaction sees what it has put, and what it has put is not found by others. */
  @Test
  void transactionsStorePlainly() {
    UpcallConfig shares = CONFIG.withContent(ContentConfig.DEFAULT.withDedup(Dedup.FILE));
    byte[] content = bytes(2);
    try (Upcall store = create(shares)) {
      store.write("/a", content);
      long taken =
          taken(
              store,
              () ->
                  store
                      .fsm()
                      .transact(
                          files -> {
                            files.write("/b", content);
                            return null;
                          }));
      assertTrue(taken > SIZE / 2, () -> "took " + taken);
      assertArrayEquals(content, store.readAllBytes("/b"));
    }
  }

  @Test
  void anotherChoiceIsRefused() {
    try (Upcall store = create(CONFIG)) {
      MetadataChange wrong = MetadataChange.NONE.withAttribute(Dedup.ATTRIBUTE, new byte[] {'x'});
      String told =
          assertThrows(
                  UpcallException.Invalid.class,
                  () -> store.setMetadata("/", LinkPolicy.FOLLOW, wrong))
              .getMessage();
      assertTrue(told.contains("\"none\" or \"file\""), told);
    }
  }
}
