package dev.upcall.trees;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileContent;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallTransaction;
import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Dedup;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.blocking.Verified;
import dev.upcall.request.FileRequest;
import dev.upcall.store.SpaceUse;
import dev.upcall.store.VerifyReport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees that are brought in share what the store has, where files are to. */
class DedupImportTest {
  private static final int SIZE = 300_000;
  private static final long BLOCKS = 303_104;
  private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(32 << 20);
  private static final byte[] CONTENT = bytes(1);

  @TempDir Path folder;

  private Path source;

  private static byte[] bytes(long seed) {
    byte[] bytes = new byte[SIZE];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  @BeforeEach
  void makeSource() throws IOException {
    source = Files.createDirectories(folder.resolve("source/below"));
    source = source.getParent();
    Files.write(source.resolve("a"), CONTENT);
    Files.write(source.resolve("below/b"), CONTENT);
    byte[] other = CONTENT.clone();
    other[SIZE - 1]++;
    Files.write(source.resolve("below/other"), other);
    Files.write(source.resolve("small"), new byte[] {1, 2, 3});
  }

  private static SpaceUse verified(Upcall store) {
    VerifyReport report = Verified.of(store);
    assertTrue(report.isSound(), report::toString);
    assertEquals(0, report.space().differenceBytes());
    return report.space();
  }

  private static void choose(Upcall store, String path, Dedup choice) {
    store.setMetadata(path, LinkPolicy.FOLLOW, MetadataChange.NONE.withDedup(choice));
  }

  private void brought(Upcall store, String to) throws IOException {
    assertTrue(Trees.importing(store, ImportOptions.of(source, StorePath.of(to))).run().isWhole());
  }

  @Test
  void anImportSharesWhereTheNearestDirectorySaysSo() throws IOException {
    try (Upcall store = Upcall.create(folder.resolve("v"), CONFIG)) {
      store.createDirectories("/here/below");
      choose(store, "/here", Dedup.FILE);
      store.write("/here/first", CONTENT);
      brought(store, "/here/in");
      SpaceUse shared = verified(store);
      assertEquals(2 * BLOCKS, shared.savedBySharingBytes());
      assertArrayEquals(CONTENT, store.readAllBytes("/here/in/a"));
      assertEquals(CONTENT[SIZE - 1] + 1, store.readAllBytes("/here/in/below/other")[SIZE - 1]);
      brought(store, "/there");
      assertEquals(2 * BLOCKS, verified(store).savedBySharingBytes());
    }
  }

  /** The file that others share is replaced in the batch that brings them. */
  @Test
  void aMasterThatChangesMeanwhileIsCopiedFirst() throws IOException {
    UpcallConfig shares = CONFIG.withContent(ContentConfig.DEFAULT.withDedup(Dedup.FILE));
    try (Upcall store = Upcall.create(folder.resolve("v"), shares)) {
      brought(store, "/in");
      Files.write(source.resolve("a"), bytes(2));
      for (int i = 0; i < 5; i++) {
        Files.write(source.resolve("below/more" + i), CONTENT);
      }
      brought(store, "/in");
      assertArrayEquals(bytes(2), store.readAllBytes("/in/a"));
      for (int i = 0; i < 5; i++) {
        assertArrayEquals(CONTENT, store.readAllBytes("/in/below/more" + i));
      }
      verified(store);
    }
  }

  @Test
  void stagedContentIsComparedWhenThatIsAskedFor() {
    try (Upcall store = Upcall.create(folder.resolve("v"), CONFIG)) {
      StagedContent first = staged(store);
      StagedContent same = staged(store);
      store.batch(List.of(put("/a", first), put("/b", same)));
      assertEquals(0, verified(store).savedBySharingBytes());
      store.batch(List.of(put("/c", staged(store)), put("/d", staged(store))));
      assertEquals(2 * BLOCKS, verified(store).savedBySharingBytes());
      store.discard(staged(store));
      StagedContent overtaken = staged(store);
      store.delete("/a");
      store.delete("/b");
      store.batch(List.of(put("/e", overtaken)));
      assertArrayEquals(CONTENT, store.readAllBytes("/e"));
      verified(store);
    }
  }

  /** Its steps are planned on what it sees. */
  @Test
  void aTransactionTakesNoneOfIt() {
    try (Upcall store = Upcall.create(folder.resolve("v"), CONFIG)) {
      store.batch(List.of(put("/a", staged(store))));
      try (UpcallTransaction transaction = store.fsm().begin()) {
        StagedContent same = staged(store);
        UpcallException.Invalid refused =
            assertThrows(
                UpcallException.Invalid.class, () -> transaction.batch(List.of(put("/b", same))));
        assertTrue(refused.getMessage().contains("without Dedup.FILE"), refused::getMessage);
      }
      verified(store);
    }
  }

  private static StagedContent staged(Upcall store) {
    return store.stage(new ByteArrayInputStream(CONTENT), Compression.NONE, Dedup.FILE);
  }

  private static FileRequest put(String path, StagedContent content) {
    return new FileRequest.Put(path, new FileContent.Staged(content));
  }
}
