package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.AsyncFiles;
import dev.upcall.FsmUpcall;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.stage.StageContent;
import dev.upcall.stage.StageFiles;
import dev.upcall.stage.StageHandle;
import dev.upcall.stage.StagePut;
import dev.upcall.store.Durability;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a caller's code throws, Errors above all, ends what it is part of and nothing else. */
class ThrowingCallersTest {
  private static final int STAGES = 300;

  @TempDir Path folder;
  private FsmUpcall store;

  @BeforeEach
  void open() {
    store = Upcall.create(folder.resolve("v.upcall"), TestedStore.RING.config()).fsm();
  }

  @AfterEach
  void close() {
    store.close(); // fails if the store's thread has ended
  }

  private static <T> T got(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static Throwable failed(CompletionStage<?> stage) {
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    stage.whenComplete((_, failed) -> told.complete(failed));
    return got(told);
  }

  @Test
  void executor_throwsAnError_everyStageCompletes() {
    Executor throwing =
        _ -> {
          throw new AssertionError("the caller's own");
        };
    try (StageFiles files = store.newStageFiles(throwing)) {
      List<CompletionStage<?>> asked = new ArrayList<>();
      for (int i = 0; i < STAGES; i++) {
        asked.add(files.write("/f" + i, new byte[] {1}, PutOptions.DEFAULT));
      }
      asked.forEach(ThrowingCallersTest::got);
    }
    assertArrayEquals(new byte[] {1}, store.readAllBytes("/f" + (STAGES - 1)));
  }

  /** What the stage has must not be taken back as what nobody gets. */
  @Test
  void executor_runsAndThrows_handleStaysOpen() {
    Executor both =
        run -> {
          Thread.ofPlatform().start(run);
          throw new StackOverflowError();
        };
    try (StageFiles files = store.newStageFiles(both)) {
      for (int i = 0; i < STAGES / 10; i++) {
        got(files.write("/f", new byte[] {1}, PutOptions.DEFAULT));
        StageHandle handle = got(files.open("/f", OpenMode.EXISTING));
        assertEquals(1, got(handle.sizeBytes()));
        got(handle.close());
        StageContent content = got(files.read("/f"));
        assertEquals(1, got(content.read(0, ByteBuffer.allocate(1))));
        got(content.close());
      }
    }
  }

  @Test
  void functions_throwErrors_stagesFailWithThem() {
    try (StageFiles files = store.newStageFiles(Runnable::run)) {
      got(files.write("/f", new byte[] {1}, PutOptions.DEFAULT));
      AssertionError mine = new AssertionError("the caller's own");
      assertSame(
          mine,
          failed(
              files.transact(
                  _ -> {
                    throw mine;
                  })));
      assertSame(
          mine,
          failed(
              files.forEach(
                  "/",
                  _ -> {
                    throw mine;
                  })));
      assertEquals(1, got(files.stat("/f")).sizeBytes());
    }
  }

  /** Of an arena that only this thread may touch, or that is closed. */
  @Test
  void buffers_ofConfinedArenas_endNothing() throws Exception {
    byte[] bytes = {1, 2, 3};
    try (StageFiles files = store.newStageFiles(Runnable::run);
        Arena arena = Arena.ofConfined();
        AsyncFiles async = store.newAsyncFiles()) {
      got(files.write("/f", bytes, PutOptions.DEFAULT));
      ByteBuffer confined = arena.allocate(bytes.length).asByteBuffer().put(bytes).flip();
      StagePut put = got(files.put("/put", PutOptions.DEFAULT));
      got(put.append(confined.duplicate()));
      got(put.commit(Durability.SYNC));
      assertArrayEquals(bytes, store.readAllBytes("/put"));
      StageHandle handle = got(files.open("/f", OpenMode.EXISTING));
      got(handle.write(0, confined.duplicate()));
      got(handle.append(confined.duplicate()));
      got(handle.splice(0, 0, confined.duplicate()));
      got(handle.close());
      assertArrayEquals(new byte[] {1, 2, 3, 1, 2, 3, 1, 2, 3}, store.readAllBytes("/f"));
      try (Upcall.RandomAccess open = store.open("/f", OpenMode.EXISTING)) {
        open.write(1, confined.duplicate());
        open.append(confined.duplicate());
        assertEquals(3, open.read(0, confined.duplicate()));
      }
      async.put(
          "/async",
          PutOptions.DEFAULT,
          begun ->
              UpcallException.value(begun)
                  .append(
                      confined.duplicate(),
                      _ -> UpcallException.value(begun).commit(Durability.SYNC, _ -> {})));
      while (async.outstanding() > 0) {
        async.await(1);
      }
      assertArrayEquals(bytes, store.readAllBytes("/async"));
      Arena shared = Arena.ofShared();
      ByteBuffer read = shared.allocate(3).asByteBuffer();
      StageContent content = got(files.read("/put"));
      assertEquals(3, got(content.read(0, read)));
      ByteBuffer constant = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
      assertThrows(IllegalArgumentException.class, () -> content.read(0, constant));
      assertThrows(IllegalArgumentException.class, () -> content.read(0, confined.duplicate()));
      shared.close();
      ByteBuffer gone = read.clear();
      assertThrows(IllegalStateException.class, () -> content.read(0, gone));
      got(content.close());
    }
  }
}
