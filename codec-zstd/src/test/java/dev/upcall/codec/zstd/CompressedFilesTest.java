package dev.upcall.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.FileContent;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Dedup;
import dev.upcall.request.FileRequest;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files are compressed, and that they are what was put. */
class CompressedFilesTest {
  private static final int SIZE = 1_000_000;
  private static final byte[] TEXT = SampleText.bytes(1, SIZE);
  private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(32 << 20);
  private static final UpcallConfig FAST =
      CONFIG.withContent(ContentConfig.DEFAULT.withCompression(Compression.FAST));
  private static final PutOptions BALANCED =
      PutOptions.DEFAULT.withCompression(Compression.BALANCED);

  @TempDir Path folder;

  private Upcall create(UpcallConfig config) {
    return Upcall.create(folder.resolve("v"), config);
  }

  private Upcall reopen(UpcallConfig config) {
    return Upcall.open(folder.resolve("v"), config);
  }

  private static void choose(Upcall store, String path, Compression degree) {
    store.setMetadata(path, LinkPolicy.FOLLOW, MetadataChange.NONE.withCompression(degree));
  }

  private static boolean isCompressed(Upcall store, String path) {
    return store.stat(path).stored().bytes() < SIZE * 3L / 4;
  }

  @Test
  void theNearestChoiceCounts() {
    try (Upcall store = create(FAST)) {
      store.createDirectories("/none/balanced");
      choose(store, "/none", Compression.NONE);
      choose(store, "/none/balanced", Compression.BALANCED);
      store.write("/a", TEXT);
      store.write("/none/b", TEXT);
      store.write("/none/balanced/c", TEXT);
      store.write("/none/d", TEXT, BALANCED);
      store.createDirectories("/none/balanced/below");
      store.write("/none/balanced/below/e", TEXT);
      assertTrue(isCompressed(store, "/a"));
      assertEquals(SIZE / 4096 + 1, store.stat("/none/b").stored().bytes() / 4096);
      assertTrue(isCompressed(store, "/none/balanced/c"));
      assertTrue(isCompressed(store, "/none/d"));
      assertTrue(isCompressed(store, "/none/balanced/below/e"));
      assertEquals(Optional.empty(), store.stat("/a").compression());
      assertEquals(Optional.of(Compression.NONE), store.stat("/none/b").compression());
      assertEquals(Optional.of(Compression.BALANCED), store.stat("/none/d").compression());
      Optional<Compression> inherited = store.stat("/none/balanced/below/e").compression();
      assertEquals(Optional.of(Compression.BALANCED), inherited);
      long fast = store.stat("/a").stored().bytes();
      long balanced = store.stat("/none/d").stored().bytes();
      assertTrue(balanced < fast, balanced + " of " + fast);
    }
    try (Upcall store = reopen(CONFIG)) {
      for (String path :
          List.of("/a", "/none/b", "/none/balanced/c", "/none/d", "/none/balanced/below/e")) {
        assertArrayEquals(TEXT, store.readAllBytes(path), path);
      }
      store.write("/f", TEXT);
      assertTrue(!isCompressed(store, "/f"));
    }
  }

  /** A file that is put again keeps its own choice; stored content stays as it is. */
  @Test
  void aChoiceHoldsFromTheNextPutOn() {
    try (Upcall store = create(CONFIG)) {
      store.write("/a", TEXT);
      choose(store, "/a", Compression.FAST);
      assertTrue(!isCompressed(store, "/a"));
      store.write("/a", TEXT);
      assertTrue(isCompressed(store, "/a"));
      choose(store, "/a", Compression.NONE);
      assertTrue(isCompressed(store, "/a"));
      store.write("/a", TEXT);
      assertTrue(!isCompressed(store, "/a"));
    }
  }

  @Test
  void whateverComesInWholeIsCompressed() throws Exception {
    try (Upcall store = create(CONFIG)) {
      store.createDirectories("/d");
      choose(store, "/d", Compression.BALANCED);
      store.write("/d/stream", new ByteArrayInputStream(TEXT), PutOptions.DEFAULT);
      try (Upcall.PutStream put = store.put("/d/put", PutOptions.DEFAULT)) {
        put.write(TEXT);
        put.commit();
      }
      store.batch(
          List.of(
              new FileRequest.Put(
                  StorePath.of("/d/batch"), new FileContent.Bytes(TEXT), PutOptions.DEFAULT)));
      store
          .fsm()
          .transact(
              files -> {
                files.write("/d/transaction", TEXT);
                return null;
              });
      for (String path : List.of("/d/stream", "/d/put", "/d/batch", "/d/transaction")) {
        assertTrue(isCompressed(store, path), path);
        assertArrayEquals(TEXT, store.readAllBytes(path), path);
      }
    }
  }

  @Test
  void smallFilesAndHandlesStorePlainly() {
    try (Upcall store = create(FAST)) {
      byte[] small = SampleText.bytes(2, 64 << 10);
      store.write("/small", small);
      store.checkpoint();
      assertEquals(small.length, store.stat("/small").stored().bytes());
      try (Upcall.RandomAccess file = store.open("/handle", OpenMode.CREATE)) {
        file.write(0, ByteBuffer.wrap(TEXT));
      }
      store.checkpoint();
      assertTrue(!isCompressed(store, "/handle"));
      assertArrayEquals(TEXT, store.readAllBytes("/handle"));
    }
  }

  @Test
  void contentThatCannotBeCompressedIsStoredPlainly() {
    byte[] random = SampleText.random(3, 8 << 20);
    try (Upcall store = create(FAST)) {
      store.write("/random", random);
      assertEquals(random.length, store.stat("/random").stored().bytes());
      assertArrayEquals(random, store.readAllBytes("/random"));
    }
  }

  /** Compressed content is edited, cut, cloned and kept by snapshots like any content. */
  @Test
  void compressedFilesAreLikeOthers() {
    try (Upcall store = create(FAST)) {
      store.write("/a", TEXT);
      store.cloneFile("/a", "/clone");
      store.fsm().createSnapshot("before");
      byte[] patch = SampleText.random(4, 10_000);
      try (Upcall.RandomAccess file = store.open("/a", OpenMode.EXISTING)) {
        file.write(300_001, ByteBuffer.wrap(patch));
        file.cut(700_000, 1234);
      }
      byte[] expected = new byte[SIZE - 1234];
      System.arraycopy(TEXT, 0, expected, 0, 700_000);
      System.arraycopy(TEXT, 701_234, expected, 700_000, SIZE - 701_234);
      System.arraycopy(patch, 0, expected, 300_001, patch.length);
      assertArrayEquals(expected, store.readAllBytes("/a"));
      assertArrayEquals(TEXT, store.readAllBytes("/clone"));
      try (var before = store.fsm().snapshot("before")) {
        assertArrayEquals(TEXT, before.readAllBytes("/a"));
      }
      store.delete("/a");
      assertArrayEquals(TEXT, store.readAllBytes("/clone"));
    }
    try (Upcall store = reopen(CONFIG)) {
      assertArrayEquals(TEXT, store.readAllBytes("/clone"));
    }
  }

  @Test
  void equalFilesAreCompressedOnceAndShared() {
    UpcallConfig both =
        CONFIG.withContent(
            ContentConfig.DEFAULT.withCompression(Compression.FAST).withDedup(Dedup.FILE));
    try (Upcall store = create(both)) {
      store.write("/a", TEXT);
      store.checkpoint();
      long free = store.info().freeBytes();
      store.write("/b", TEXT);
      store.checkpoint();
      assertTrue(free - store.info().freeBytes() < SIZE / 10);
      assertArrayEquals(TEXT, store.readAllBytes("/b"));
    }
  }

  @Test
  void anotherChoiceIsRefused() {
    try (Upcall store = create(CONFIG)) {
      MetadataChange wrong =
          MetadataChange.NONE.withAttribute(Compression.ATTRIBUTE, new byte[] {'x'});
      String told =
          assertThrows(
                  UpcallException.Invalid.class,
                  () -> store.setMetadata("/", LinkPolicy.FOLLOW, wrong))
              .getMessage();
      assertTrue(told.contains("\"none\", \"fast\" or \"balanced\""), told);
    }
  }

  /** The engines of threads read what is compressed, and store plainly. */
  @Test
  void theEngineOfThreadsReadsIt() {
    byte[] edited = TEXT.clone();
    edited[SIZE / 2] = '!';
    try (Upcall store = create(FAST)) {
      store.write("/a", TEXT, BALANCED);
      store.write("/b", TEXT, BALANCED);
    }
    try (Upcall store = reopen(CONFIG.withEngine(Engine.THREADS))) {
      assertArrayEquals(TEXT, store.readAllBytes("/a"));
      assertArrayEquals(TEXT, store.readAllBytes("/a"));
      try (Upcall.RandomAccess file = store.open("/a", OpenMode.EXISTING)) {
        file.write(SIZE / 2, ByteBuffer.wrap(new byte[] {'!'}));
      }
      assertArrayEquals(edited, store.readAllBytes("/a"));
      store.write("/b", TEXT);
      assertTrue(!isCompressed(store, "/b"));
      assertEquals(Optional.of(Compression.BALANCED), store.stat("/b").compression());
      choose(store, "/b", Compression.FAST);
      store.delete("/a");
      assertArrayEquals(TEXT, store.readAllBytes("/b"));
    }
    try (Upcall store = reopen(CONFIG)) {
      assertArrayEquals(TEXT, store.readAllBytes("/b"));
    }
  }
}
