package dev.upcall.codec.zstd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.config.Compression;
import dev.upcall.config.ContentConfig;
import dev.upcall.trees.CopyOptions;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.Pace;
import dev.upcall.trees.TreeProgress;
import dev.upcall.trees.TreeSummary;
import dev.upcall.trees.TreeTask;
import dev.upcall.trees.TreeWatch;
import dev.upcall.trees.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees that are brought in: their files follow the choices of where they come to. */
class CompressedTreesTest {
  private static final int SIZE = 300_000;
  private static final byte[] TEXT = SampleText.bytes(1, SIZE);
  private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(32 << 20);

  @TempDir Path folder;

  private Path source;

  @BeforeEach
  void makeSource() throws IOException {
    source = Files.createDirectories(folder.resolve("source/below/deep")).getParent().getParent();
    Files.write(source.resolve("a"), TEXT);
    Files.write(source.resolve("below/b"), TEXT);
    Files.write(source.resolve("below/deep/c"), TEXT);
  }

  private static boolean isCompressed(Upcall store, String path) {
    return store.stat(path).stored().bytes() < SIZE * 3L / 4;
  }

  private static void choose(Upcall store, String path, Compression degree) {
    store.setMetadata(path, LinkPolicy.FOLLOW, MetadataChange.NONE.withCompression(degree));
  }

  @Test
  void anImportFollowsTheNearestDirectoryThatIsThere() throws IOException {
    try (Upcall store = Upcall.create(folder.resolve("v"), CONFIG)) {
      store.createDirectories("/here/below");
      choose(store, "/here", Compression.BALANCED);
      choose(store, "/here/below", Compression.NONE);
      Trees.importing(store, ImportOptions.of(source, StorePath.of("/here"))).run();
      assertTrue(isCompressed(store, "/here/a"));
      assertTrue(!isCompressed(store, "/here/below/b"));
      assertTrue(!isCompressed(store, "/here/below/deep/c"));
      assertEquals(Optional.of(Compression.BALANCED), store.stat("/here/a").compression());
      assertArrayEquals(TEXT, store.readAllBytes("/here/a"));
      choose(store, "/", Compression.FAST);
      Trees.importing(store, ImportOptions.of(source, StorePath.of("/new/place"))).run();
      assertTrue(isCompressed(store, "/new/place/a"));
      assertTrue(isCompressed(store, "/new/place/below/deep/c"));
    }
  }

  @Test
  void anImportFollowsTheSetting() throws IOException {
    UpcallConfig fast = CONFIG.withContent(ContentConfig.DEFAULT.withCompression(Compression.FAST));
    try (Upcall store = Upcall.create(folder.resolve("v"), fast)) {
      Trees.importing(store, ImportOptions.of(source, StorePath.of("/here"))).run();
      assertTrue(isCompressed(store, "/here/below/deep/c"));
      assertArrayEquals(TEXT, store.readAllBytes("/here/below/deep/c"));
    }
  }

  @Test
  void oldContentIsBroughtToAChoice_whenItIsNotPaused() throws IOException {
    try (Upcall store = Upcall.create(folder.resolve("v"), CONFIG)) {
      store.createDirectories("/here");
      store.write("/here/a", TEXT);
      store.write("/here/b", TEXT, PutOptions.DEFAULT.withCompression(Compression.NONE));
      store.write("/other", TEXT);
      choose(store, "/here/a", Compression.FAST);
      choose(store, "/other", Compression.FAST);
      FileInfo before = store.stat("/here/a");
      Pace pace = Pace.of(1L << 40);
      pace.pause();
      TreeProgress progress = new TreeProgress();
      TreeWatch watch = TreeWatch.none().withProgress(progress);
      TreeTask task = Trees.rewriting(store, "/here", pace, watch);
      CompletableFuture<TreeSummary> paused = task.start(Runnable::run);
      while (progress.currentPath().isEmpty() && !paused.isDone()) {
        Thread.onSpinWait();
      }
      task.cancel();
      assertEquals(TreeSummary.End.CANCELLED, paused.join().end());
      assertEquals(before.version(), store.stat("/here/a").version());
      assertEquals(0, progress.bytesDone());
      pace.resume();
      TreeSummary done = Trees.rewriting(store, "/here", pace, TreeWatch.none()).run();
      assertTrue(done.isWhole(), done::toString);
      assertEquals(1, done.files());
      assertEquals(SIZE, done.bytes());
      assertTrue(isCompressed(store, "/here/a"));
      assertTrue(!isCompressed(store, "/other"));
      assertEquals(before.times().modified(), store.stat("/here/a").times().modified());
      TreeSummary one = Trees.rewriting(store, "/other", pace, TreeWatch.none()).run();
      assertEquals(1, one.files());
      assertTrue(isCompressed(store, "/other"));
      assertArrayEquals(TEXT, store.readAllBytes("/other"));
    }
  }

  /** A copy of bytes brings the choice of each file along. */
  @Test
  void aCopyIntoAnotherStoreKeepsChoices() throws IOException {
    try (Upcall store = Upcall.create(folder.resolve("v"), CONFIG);
        Upcall other = Upcall.create(folder.resolve("other"), CONFIG)) {
      store.createDirectories("/here");
      choose(store, "/here", Compression.FAST);
      store.write("/here/plain", TEXT, PutOptions.DEFAULT.withCompression(Compression.NONE));
      store.write("/here/a", TEXT);
      CopyOptions there = CopyOptions.of(StorePath.of("/here"), StorePath.of("/there"));
      assertTrue(Trees.copying(store, other, there).run().isWhole());
      assertTrue(isCompressed(other, "/there/a"));
      assertTrue(!isCompressed(other, "/there/plain"));
      assertArrayEquals(TEXT, other.readAllBytes("/there/a"));
    }
  }
}
