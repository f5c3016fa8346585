package dev.upcall.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.FileContent;
import dev.upcall.OpenMode;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallTransaction;
import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.config.Dedup;
import dev.upcall.content.StagedContent;
import dev.upcall.request.FileRequest;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.Trees;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which ways of writing compress and compare, where the store is to; docs/compression.md. */
class WaysOfWritingTest {
  private static final byte[] TEXT = SampleText.bytes(1, 300_000);
  private static final UpcallConfig CONFIG =
      UpcallConfig.DEFAULT
          .withMemoryBytes(32 << 20)
          .withContent(
              ContentConfig.DEFAULT.withCompression(Compression.FAST).withDedup(Dedup.FILE));

  @TempDir Path folder;

  private interface Way {
    void write(Upcall store, byte[] content) throws IOException;
  }

  private static long saved(Upcall store) {
    return CountedSpace.of(store).savedBySharingBytes();
  }

  private void goes(String how, byte[] content, Way way) throws IOException {
    Path volume = folder.resolve("v");
    try (Upcall store = Upcall.create(volume, CONFIG)) {
      store.write("/first", content);
      long before = saved(store);
      way.write(store, content);
      String found =
          (saved(store) > before ? "compared " : "")
              + (store.stat("/x").stored().bytes() < content.length ? "compressed" : "");
      assertEquals(how, found.strip());
      assertArrayEquals(content, store.readAllBytes("/x"));
    } finally {
      Files.delete(volume);
    }
  }

  private static FileRequest put(FileContent content) {
    return new FileRequest.Put("/x", content);
  }

  private static StagedContent staged(Upcall store, byte[] content, Dedup dedup) {
    return store.stage(new ByteArrayInputStream(content), Compression.FAST, dedup);
  }

  @Test
  void wholeFilesThatAreLarge() throws IOException {
    goes("compared compressed", TEXT, (store, content) -> store.write("/x", content));
    goes(
        "compared compressed",
        TEXT,
        (store, content) -> {
          Path source = Files.createDirectories(folder.resolve("source"));
          Files.write(source.resolve("x"), content);
          Trees.importing(store, ImportOptions.of(source, StorePath.ROOT)).run();
        });
    goes(
        "compared compressed",
        TEXT,
        (store, content) ->
            store.batch(List.of(put(new FileContent.Staged(staged(store, content, Dedup.FILE))))));
  }

  @Test
  void wholeFilesThatAreNotCompared() throws IOException {
    goes(
        "compressed",
        TEXT,
        (store, content) -> store.batch(List.of(put(new FileContent.Bytes(content)))));
    goes(
        "compressed",
        TEXT,
        (store, content) ->
            store.batch(
                List.of(
                    put(new FileContent.Staged(store.stage(new ByteArrayInputStream(content)))))));
    goes(
        "compressed",
        TEXT,
        (store, content) -> {
          try (UpcallTransaction transaction = store.fsm().begin()) {
            transaction.write("/x", content);
            transaction.commit();
          }
        });
  }

  @Test
  void filesThatAreSmallAndOtherWays() throws IOException {
    goes("", Arrays.copyOf(TEXT, 64 << 10), (store, content) -> store.write("/x", content));
    goes(
        "",
        TEXT,
        (store, content) -> {
          store.write("/x", new byte[0]);
          store.append("/x", content);
        });
    goes(
        "",
        TEXT,
        (store, content) -> {
          try (Upcall.RandomAccess file = store.open("/x", OpenMode.CREATE)) {
            file.append(ByteBuffer.wrap(content));
          }
        });
    goes(
        "",
        TEXT,
        (store, content) -> {
          store.write("/x", new byte[0]);
          store.insert("/x", 0, content);
        });
    goes("", TEXT, (store, content) -> Files.write(store.fileSystem().getPath("/x"), content));
  }
}
