package dev.upcall.trees;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.table.Codecs;
import dev.upcall.table.SortedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Imports and exports as a program asks for them; what they carry is the command line's test. */
class HostTransferTest {
  @TempDir Path folder;
  private Path tree;

  @BeforeEach
  void makeTree() throws IOException {
    tree = Files.createDirectories(folder.resolve("tree"));
    Files.createDirectories(tree.resolve("a/b"));
    Files.writeString(tree.resolve("a/b/deep"), "deep");
    byte[] large = new byte[300_000];
    new Random(1).nextBytes(large);
    Files.write(tree.resolve("large"), large);
    Files.createSymbolicLink(tree.resolve("link"), Path.of("a/b"));
  }

  private Upcall create(TestedStore tested) {
    return Upcall.create(folder.resolve("v.upcall"), tested.config());
  }

  private ImportOptions into(String path) {
    return ImportOptions.of(tree, StorePath.of(path));
  }

  @ParameterizedTest
  @EachEngine
  void aTreeGoesInAndComesOutWithProgress(TestedStore tested) throws IOException {
    try (Upcall store = create(tested)) {
      TreeProgress in = new TreeProgress();
      assertEquals(Optional.empty(), in.currentPath());
      TreeSummary imported =
          Trees.importing(store, into("/in"), TreeWatch.none().withProgress(in)).run();
      assertTrue(imported.isWhole(), imported::toString);
      assertEquals(
          List.of(2L, 1L, 2L, 300_004L),
          List.of(imported.files(), imported.links(), imported.directories(), imported.bytes()));
      assertEquals(5, in.entriesDone());
      assertEquals(300_004, in.bytesDone());
      assertEquals(tree.resolve("link").toString(), in.currentPath().orElseThrow());

      TreeSummary again = Trees.importing(store, into("/in")).run();
      assertEquals(List.of(0L, 5L), List.of(again.files(), again.unchanged()));

      TreeProgress out = new TreeProgress();
      Path target = folder.resolve("out");
      TreeSummary exported =
          Trees.exporting(
                  store,
                  ExportOptions.of(StorePath.of("/in"), target),
                  TreeWatch.none().withProgress(out))
              .run();
      assertTrue(exported.isWhole(), exported::toString);
      assertEquals(5, out.entriesDone());
      assertEquals("/in/link", out.currentPath().orElseThrow());
      assertEquals(-1, Files.mismatch(tree.resolve("large"), target.resolve("large")));
      assertEquals(Path.of("a/b"), Files.readSymbolicLink(target.resolve("link")));
    }
  }

  @ParameterizedTest
  @EachEngine
  void importing_theNameThatTheStoreKeepsForItself_isAProblemOfThatFileOnly(TestedStore tested)
      throws IOException {
    try (Upcall store = create(tested)) {
      Path own = Files.createDirectory(tree.resolve(".upcall-unlinked"));
      Files.writeString(own.resolve("x"), "lost, if it came there");
      TreeSummary imported = Trees.importing(store, into("/")).run();
      assertEquals(TreeSummary.End.COMPLETE, imported.end());
      assertFalse(imported.isWhole());
      assertTrue(imported.problems().getFirst().reason().contains("choose another name"));
      for (TreeProblem problem : imported.problems()) {
        assertTrue(problem.path().startsWith(own.toString()), problem::toString);
      }
      assertFalse(store.exists("/.upcall-unlinked"));
      assertEquals("deep", store.readString("/a/b/deep"));
      assertTrue(Trees.importing(store, into("/below")).run().isWhole());
      assertTrue(store.exists("/below/.upcall-unlinked/x"));
    }
  }

  @ParameterizedTest
  @EachEngine
  void exporting_aTable_writesItsEntriesAsLines(TestedStore tested) throws IOException {
    try (Upcall store = create(tested)) {
      SortedTable<String, String> prices =
          store.sortedTable("/prices", Codecs.STRING, Codecs.STRING);
      StringBuilder expected = new StringBuilder();
      for (int i = 0; i < 1500; i++) {
        String key = "%04d".formatted(i);
        prices.put(key, "value " + i);
        expected.append("{\"key\":\"%s\",\"value\":\"value %d\"}%n".formatted(key, i));
      }
      Path target = folder.resolve("tables");
      assertTrue(Trees.exporting(store, ExportOptions.of(StorePath.ROOT, target)).run().isWhole());
      assertEquals(expected.toString(), Files.readString(target.resolve("prices.table.jsonl")));

      store.writeString("/prices.table.jsonl", "a file that has that name");
      TreeSummary again =
          Trees.exporting(store, ExportOptions.of(StorePath.ROOT, folder.resolve("again"))).run();
      assertEquals(List.of("/prices"), again.problems().stream().map(TreeProblem::path).toList());
      assertEquals(
          "a file that has that name",
          Files.readString(folder.resolve("again").resolve("prices.table.jsonl")));
    }
  }

  @ParameterizedTest
  @EachEngine
  void exporting_aFractionOfASecondBefore1970_keepsTheSecond(TestedStore tested)
      throws IOException {
    try (Upcall store = create(tested)) {
      store.writeString("/old", "old");
      store.setMetadata(
          "/old",
          LinkPolicy.FOLLOW,
          MetadataChange.NONE.withModified(Instant.parse("1969-07-20T20:17:40.5Z")));
      Path target = folder.resolve("old");
      assertTrue(Trees.exporting(store, ExportOptions.of(StorePath.ROOT, target)).run().isWhole());
      assertEquals(
          FileTime.from(Instant.parse("1969-07-20T20:17:40Z")),
          Files.getLastModifiedTime(target.resolve("old")));
    }
  }

  @ParameterizedTest
  @EachEngine
  void problemsAreHeardOfAndEndItWhereThatIsSaid(TestedStore tested) throws IOException {
    try (Upcall store = create(tested)) {
      Trees.importing(store, into("/")).run();
      Path target = Files.createDirectories(folder.resolve("out/a/b"));
      Files.writeString(target.resolve("deep"), "mine");
      ExportOptions options = ExportOptions.of(StorePath.ROOT, folder.resolve("out"));
      CompletableFuture<TreeProblem> heard = new CompletableFuture<>();
      TreeSummary past =
          Trees.exporting(
                  store,
                  options,
                  TreeWatch.none()
                      .withOnProblem(
                          problem -> {
                            heard.complete(problem);
                            return TreeProblem.Verdict.GO_ON;
                          }))
              .run();
      assertEquals(TreeSummary.End.COMPLETE, past.end());
      assertEquals(List.of(heard.join()), past.problems());
      assertEquals("/a/b/deep", heard.join().path());
      assertTrue(heard.join().reason().endsWith("already exists"), heard::toString);
      assertEquals("mine", Files.readString(target.resolve("deep")));

      TreeWatch stop = TreeWatch.none().withOnProblem(_ -> TreeProblem.Verdict.STOP);
      assertEquals(TreeSummary.End.PROBLEM, Trees.exporting(store, options, stop).run().end());
      assertTrue(Trees.exporting(store, options.withPresent(Present.REPLACE)).run().isWhole());
      assertEquals("deep", Files.readString(target.resolve("deep")));

      store.delete("/large");
      store.createDirectory("/large");
      store.writeString("/large/mine", "mine");
      Files.writeString(tree.resolve("zz"), "comes behind the problem");
      TreeSummary stopped = Trees.importing(store, into("/"), stop).run();
      assertEquals(TreeSummary.End.PROBLEM, stopped.end());
      assertEquals(tree.resolve("large").toString(), stopped.problems().getFirst().path());
      assertFalse(store.exists("/zz"));
    }
  }

  @ParameterizedTest
  @EachEngine
  void aTaskRunsElsewhereAndIsCancelledWithItsFuture(TestedStore tested) throws Exception {
    try (Upcall store = create(tested)) {
      CompletableFuture<TreeSummary> done =
          Trees.importing(store, into("/")).start(Thread::startVirtualThread);
      assertTrue(done.join().isWhole());

      CountDownLatch met = new CountDownLatch(1);
      CountDownLatch cancelled = new CountDownLatch(1);
      store.delete("/link");
      store.createDirectories("/link/mine");
      TreeTask task =
          Trees.importing(
              store,
              into("/"),
              TreeWatch.none()
                  .withOnProblem(
                      _ -> {
                        met.countDown();
                        await(cancelled);
                        return TreeProblem.Verdict.GO_ON;
                      }));
      CompletableFuture<TreeSummary> ended = new CompletableFuture<>();
      CompletableFuture<TreeSummary> future =
          task.start(
              run ->
                  Thread.startVirtualThread(
                      () -> {
                        run.run();
                        ended.complete(task.soFar());
                      }));
      await(met);
      future.cancel(false);
      cancelled.countDown();
      assertEquals(1, ended.join().problemCount());
      assertTrue(future.isCancelled());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  @Test
  void whatCannotBeginSaysWhy() {
    try (Upcall store = create(TestedStore.RING)) {
      ImportOptions nothing = ImportOptions.of(folder.resolve("none"), StorePath.ROOT);
      assertThrows(NoSuchFileException.class, () -> Trees.importing(store, nothing).run());
      CompletionException later =
          assertThrows(
              CompletionException.class,
              () -> Trees.importing(store, nothing).start(Runnable::run).join());
      assertInstanceOf(NoSuchFileException.class, later.getCause());
      ExportOptions none = ExportOptions.of(StorePath.of("/none"), folder.resolve("out"));
      assertThrows(UpcallException.NotFound.class, () -> Trees.exporting(store, none).run());
      assertFalse(Files.exists(folder.resolve("out")));
      assertThrows(IllegalArgumentException.class, () -> into("/").withReaders(0));
      assertThrows(IllegalArgumentException.class, () -> none.withWriters(1000));
    }
  }

  /** An interrupt ends a transfer early, and is kept for who called it. */
  @Test
  void anInterruptEndsATransferAndIsKept() throws Exception {
    try (Upcall store = create(TestedStore.RING)) {
      assertEquals("CANCELLED true", interrupted(Trees.importing(store, into("/"))));
      assertEquals(TreeSummary.End.COMPLETE, Trees.importing(store, into("/")).run().end());
      ExportOptions out = ExportOptions.of(StorePath.ROOT, folder.resolve("out"));
      assertEquals("CANCELLED true", interrupted(Trees.exporting(store, out)));
      assertEquals(TreeSummary.End.COMPLETE, Trees.exporting(store, out).run().end());
    }
  }

  /** How a task of a thread that is interrupted ends, and whether the thread still is then. */
  private static String interrupted(TreeTask task) throws InterruptedException {
    CompletableFuture<String> seen = new CompletableFuture<>();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  Thread.currentThread().interrupt();
                  try {
                    TreeSummary summary = task.run();
                    seen.complete(summary.end() + " " + Thread.currentThread().isInterrupted());
                  } catch (IOException | RuntimeException failed) {
                    seen.completeExceptionally(failed);
                  }
                });
    caller.join();
    return seen.join();
  }
}
