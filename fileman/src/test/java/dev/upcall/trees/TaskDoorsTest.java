package dev.upcall.trees;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.AsyncSnapshot;
import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.blocking.TestedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done to whole trees, at each door: the same work, and its end where the door has it. */
class TaskDoorsTest {
  private static final int FILES = 300;

  @TempDir Path folder;

  private FsmUpcall store;

  @BeforeEach
  void open() {
    store = Upcall.create(folder.resolve("v.upcall"), TestedStore.RING.config()).fsm();
    store.createDirectories("/from/deep");
    for (int i = 0; i < FILES; i++) {
      store.writeString("/from/deep/" + i, "file " + i);
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  private TreeTask copy(String to) {
    return Trees.copying(store, store, CopyOptions.of(StorePath.of("/from"), StorePath.of(to)));
  }

  private TreeTask nothing() {
    return Trees.importing(store, ImportOptions.of(folder.resolve("none"), StorePath.ROOT));
  }

  private void checkCopy(TreeSummary done, String to) {
    assertTrue(done.isWhole(), done::toString);
    assertEquals(FILES, done.files());
    assertEquals(FILES, store.list(to + "/deep", FILES + 1).entries().size());
    assertEquals("file 7", store.readString(to + "/deep/7"));
  }

  /** It grows by what is imported: an import of it would not come to an end. */
  @Test
  void theVolumeIsNotImportedIntoItself() throws IOException {
    Files.writeString(folder.resolve("beside"), "text");
    Files.createSymbolicLink(folder.resolve("link"), Path.of("v.upcall"));
    TreeSummary done = Trees.importing(store, ImportOptions.of(folder, StorePath.of("/in"))).run();
    assertTrue(done.isWhole(), done::toString);
    assertEquals(
        List.of("beside", "link"),
        store.list("/in", 10).entries().stream().map(FileInfo::name).toList());
    assertEquals("text", store.readString("/in/beside"));
  }

  @Test
  void aStageBegunOnTheStoresThreadCompletesOnTheExecutor() {
    try (ExecutorService one = Executors.newSingleThreadExecutor()) {
      Thread its = CompletableFuture.supplyAsync(Thread::currentThread, one).join();
      CompletableFuture<Thread> completedOn = new CompletableFuture<>();
      CompletableFuture<TreeSummary> done = new CompletableFuture<>();
      store.execute(
          () ->
              copy("/to")
                  .start(one)
                  .whenComplete(
                      (summary, failed) -> {
                        completedOn.complete(Thread.currentThread());
                        done.complete(summary);
                      }));
      checkCopy(done.join(), "/to");
      assertSame(its, completedOn.join());
    }
  }

  @Test
  void anExecutorThatRefusesIsHeardOf() {
    CompletableFuture<TreeSummary> done =
        copy("/to")
            .start(
                _ -> {
                  throw new RejectedExecutionException("full");
                });
    Throwable refused = assertThrows(RuntimeException.class, done::join).getCause();
    assertInstanceOf(RejectedExecutionException.class, refused);
  }

  @Test
  void atAPortOnTheStoresThread() {
    CompletableFuture<Boolean> ownThread = new CompletableFuture<>();
    Completion<TreeSummary> done =
        store.await(
            port ->
                copy("/to")
                    .start(
                        store.fileManager(),
                        summary -> {
                          ownThread.complete(store.fileManager().dispatcher().isOwner());
                          port.complete(summary);
                        }));
    checkCopy(UpcallException.value(done), "/to");
    assertTrue(ownThread.join());
    Completion<TreeSummary> failed =
        store.await(port -> nothing().start(store.fileManager(), port));
    Failure why = assertInstanceOf(Completion.Failed.class, failed).failure();
    assertTrue(assertInstanceOf(Failure.Device.class, why).detail().contains("none"), why::message);
  }

  @Test
  void atAPortOfAProgramOnItsOwnThread() throws InterruptedException {
    List<Completion<TreeSummary>> heard = new ArrayList<>();
    try (AsyncFiles files = store.newAsyncFiles()) {
      copy("/to").start(files, heard::add);
      assertEquals(1, files.outstanding());
      while (heard.isEmpty()) {
        files.await(1);
      }
      checkCopy(UpcallException.value(heard.getFirst()), "/to");
      List<AsyncSnapshot> snapshots = new ArrayList<>();
      files.snapshot(opened -> snapshots.add(UpcallException.value(opened)));
      while (snapshots.isEmpty()) {
        files.await(1);
      }
      nothing().start(snapshots.getFirst(), heard::add);
      while (heard.size() < 2) {
        files.await(1);
      }
      assertInstanceOf(Completion.Failed.class, heard.get(1));
      List<Completion<?>> closed = new ArrayList<>();
      snapshots.getFirst().close(closed::add);
      while (closed.isEmpty()) {
        files.await(1);
      }
      assertEquals(0, files.outstanding());
    }
  }

  @Test
  void oneThatWasBegunIsNotBegunAgain() throws IOException {
    TreeTask task = copy("/to");
    checkCopy(task.run(), "/to");
    try (AsyncFiles files = store.newAsyncFiles()) {
      assertThrows(IllegalStateException.class, () -> task.start(files, _ -> {}));
      assertThrows(IllegalStateException.class, () -> task.start(Runnable::run));
      assertEquals(0, files.outstanding());
    }
  }
}
