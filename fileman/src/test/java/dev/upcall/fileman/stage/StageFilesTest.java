package dev.upcall.fileman.stage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Expiry;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.config.LockConfig;
import dev.upcall.config.RetryConfig;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.request.FileRequest;
import dev.upcall.stage.StageContent;
import dev.upcall.stage.StageFiles;
import dev.upcall.stage.StageHandle;
import dev.upcall.stage.StageLimits;
import dev.upcall.stage.StagePut;
import dev.upcall.stage.StageSnapshot;
import dev.upcall.stage.StageTransaction;
import dev.upcall.store.Durability;
import dev.upcall.store.SnapshotConfig;
import dev.upcall.store.TransactionConfig;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The door of stages: what it does, where it completes, and what happens when there is too much.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StageFilesTest {
  private static final int LARGE_BYTES = 300_000;

  /** How long somebody waits for a lock says the test, and no limit of the store. */
  private static final TransactionConfig PATIENT =
      TransactionConfig.DEFAULT
          .withLocks(LockConfig.DEFAULT.withTimeout(Duration.ofHours(1)))
          .withRetry(RetryConfig.DEFAULT.withMaxAttempts(1_000_000).withMax(Duration.ofHours(1)));

  @TempDir Path folder;
  private FsmUpcall store;
  private ExecutorService executor;
  private StageFiles files;

  @BeforeEach
  void open() {
    UpcallConfig config = TestedStore.RING.config().withTransactions(PATIENT);
    store = Upcall.create(folder.resolve("v.upcall"), config).fsm();
    executor = Executors.newSingleThreadExecutor(run -> new Thread(run, "completions"));
    files = store.newStageFiles(executor);
  }

  @AfterEach
  void close() {
    files.close();
    try {
      store.close();
    } catch (DispatcherStoppedException killed) {
      assertNotNull(killed.getCause(), "killed by the test");
    }
    executor.shutdownNow();
  }

  private static <T> T got(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  /** The failure that a stage itself has, without a stage behind it. */
  private static <T extends Throwable> T failed(Class<T> kind, CompletionStage<?> stage) {
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    stage.whenComplete((_, failed) -> told.complete(failed));
    return assertInstanceOf(kind, got(told));
  }

  private static byte[] random(int bytes, long seed) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return content;
  }

  /** Keeps the store's thread from doing anything. */
  private CountDownLatch stall() {
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    store.execute(
        () -> {
          stalled.countDown();
          awaited(release);
        });
    awaited(stalled);
    return release;
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }

  // ------------------------------------------------------------------ what it does

  @Test
  void filesAreChangedAndRead() {
    got(files.createDirectories("/a/b"));
    FileInfo made = got(files.write("/a/b/f", "hello".getBytes(UTF_8)));
    assertEquals(5, made.sizeBytes());
    assertEquals("hello", new String(got(files.readAllBytes("/a/b/f")), UTF_8));
    assertEquals("ell", new String(got(files.read("/a/b/f", 1, 3)), UTF_8));
    assertEquals(0, got(files.read("/a/b/f", 100, 3)).length);
    got(files.symbolicLink("/l", "/a/b/f"));
    assertEquals("/a/b/f", got(files.readLink("/l")));
    assertTrue(got(files.stat("/l", LinkPolicy.NO_FOLLOW)).isSymbolicLink());
    assertEquals(made.id(), got(files.stat("/l")).id());
    got(files.cloneFile("/a/b/f", "/c"));
    got(files.rename("/c", "/d"));
    assertFalse(got(files.exists("/c")));
    assertFalse(got(files.exists("/d/none")));
    assertTrue(got(files.exists("/d")));
    MetadataChange expiring = MetadataChange.NONE.withExpiry(Expiry.at(Instant.MAX));
    assertEquals(
        Optional.empty(), got(files.setMetadata("/d", LinkPolicy.FOLLOW, expiring)).expires());
    got(files.setProperty("p", new byte[] {7}));
    assertArrayEquals(new byte[] {7}, got(files.property("p")).orElseThrow());
    got(files.removeProperty("p"));
    assertEquals(Optional.empty(), got(files.property("p")));
    List<String> names = new ArrayList<>();
    got(files.forEach("/", entry -> names.add(entry.name())));
    assertEquals(List.of("a", "d", "l"), names);
    assertEquals(List.of("a"), got(files.names("/", range(1))).names());
    assertEquals("a", got(files.list("/", 1)).entries().getFirst().name());
    got(files.delete("/d"));
    got(files.deleteTree("/a"));
    got(files.flush());
    got(files.checkpoint());
    assertEquals(1, got(files.list("/", 10)).entries().size());
    assertEquals(store.config(), files.config());
    assertTrue(got(files.info()).scn() > 0);
    assertEquals(0, got(files.fileManagerInfo()).handlesOpen());
  }

  private static Listing.Range range(int limit) {
    return new Listing.Range(Listing.Direction.ASCENDING, limit);
  }

  @Test
  void largeFilesAreReadInPieces() {
    byte[] content = random(LARGE_BYTES, 1);
    got(files.write("/large", content));
    assertArrayEquals(content, got(files.readAllBytes("/large")));
    store.append("/huge", new byte[1]);
    store.truncate("/huge", UpcallReads.MAX_ARRAY_BYTES + 1);
    failed(UpcallException.TooLarge.class, files.readAllBytes("/huge"));
    StageContent open = got(files.read("/large"));
    got(files.write("/large", new byte[1]));
    assertEquals(LARGE_BYTES, open.info().sizeBytes());
    ByteBuffer into = ByteBuffer.allocate(LARGE_BYTES);
    while (into.hasRemaining()) {
      assertTrue(got(open.read(into.position(), into)) > 0);
    }
    assertArrayEquals(content, into.array());
    assertEquals(-1, got(open.read(LARGE_BYTES, ByteBuffer.allocate(1))));
    got(open.close());
    got(open.close());
    failed(UpcallException.Closed.class, open.read(0, ByteBuffer.allocate(1)));
  }

  @Test
  void rangesAreWrittenThroughHandles() {
    StageHandle handle = got(files.open("/h", OpenMode.CREATE));
    got(handle.write(0, ByteBuffer.wrap("abc".getBytes(UTF_8))));
    got(handle.append(ByteBuffer.wrap("def".getBytes(UTF_8))));
    assertEquals(6, got(handle.sizeBytes()));
    got(handle.flush());
    assertEquals(6, got(handle.info()).sizeBytes());
    ByteBuffer into = ByteBuffer.allocate(10);
    assertEquals(4, got(handle.read(2, into)));
    assertEquals("cdef", new String(into.array(), 0, 4, UTF_8));
    got(handle.truncate(1));
    got(handle.close());
    assertEquals("a", new String(got(files.readAllBytes("/h")), UTF_8));
    StageHandle other = got(files.open("/h", OpenMode.EXISTING));
    got(other.write(0, ByteBuffer.wrap(new byte[5])));
    got(other.abandon());
    assertEquals(1, got(files.stat("/h")).sizeBytes());
    StageHandle edited = got(files.open("/h", OpenMode.EXISTING));
    got(edited.insert(0, ByteBuffer.wrap("123".getBytes(UTF_8))));
    got(edited.splice(1, 1, ByteBuffer.wrap("xy".getBytes(UTF_8))));
    got(edited.cut(3, 1));
    got(edited.close());
    assertEquals("1xya", new String(got(files.readAllBytes("/h")), UTF_8));
    assertEquals(6, got(files.insert("/h", 4, "bc".getBytes(UTF_8))).sizeBytes());
    got(files.cut("/h", 0, 1));
    got(files.splice("/h", 0, 2, "XY".getBytes(UTF_8)));
    assertEquals("XYabc", new String(got(files.readAllBytes("/h")), UTF_8));
    failed(UpcallException.Invalid.class, files.insert("/h", 6, new byte[1]));
  }

  @Test
  void contentsAreStagedAndPut() {
    StagePut put = got(files.put("/put", PutOptions.DEFAULT));
    got(put.append(ByteBuffer.wrap(random(100_000, 2))));
    assertFalse(got(files.exists("/put")));
    assertEquals(100_000, got(put.commit(Durability.ASYNC)).sizeBytes());
    got(put.abandon());
    assertTrue(got(files.exists("/put")));
    StagedContent staged = got(files.stage(files.publish("/put")));
    assertEquals(100_000, staged.sizeBytes());
    FileRequest request =
        new FileRequest.Put(
            StorePath.of("/copy"), new FileContent.Staged(staged), PutOptions.DEFAULT);
    assertEquals(100_000, got(files.batch(List.of(request))).only().sizeBytes());
    got(files.discard(got(files.stage(files.publish("/put")))));
  }

  @Test
  void snapshotsStayAsTheyAre() {
    got(files.write("/f", new byte[1]));
    StageSnapshot then = got(files.snapshot());
    assertEquals("kept", got(files.createSnapshot("kept")).name());
    got(files.write("/f", new byte[2]));
    assertEquals(1, got(then.readAllBytes("/f")).length);
    assertEquals(then.scn(), got(then.info()).scn());
    got(then.close());
    assertEquals(1, got(files.snapshots()).snapshots().size());
    StageSnapshot kept = got(files.snapshot("kept"));
    assertEquals(1, got(kept.stat("/f")).sizeBytes());
    got(kept.close());
    got(files.dropSnapshot("kept"));
    failed(UpcallException.NotFound.class, files.snapshot("kept"));
  }

  // ------------------------------------------------------------------ transactions

  @Test
  void transactionsAreOneOrNothing() {
    StageTransaction transaction = got(files.begin());
    assertTrue(transaction.id() > 0 && transaction.scn() >= 0);
    got(transaction.write("/a", new byte[1]));
    got(transaction.write("/b", random(LARGE_BYTES, 3)));
    assertTrue(got(transaction.exists("/a")));
    assertFalse(got(files.exists("/a")));
    got(transaction.commit());
    assertEquals(LARGE_BYTES, got(files.stat("/b")).sizeBytes());
    StageTransaction other = got(files.begin());
    got(other.delete("/a"));
    got(other.rollback());
    got(other.rollback());
    assertTrue(got(files.exists("/a")));
  }

  /** Many add to one file, each in a transaction of stages. */
  @Test
  void whatOthersWereQuickerWithIsDoneAgain() {
    int times = 30;
    got(files.write("/sum", "0".getBytes(UTF_8)));
    List<CompletionStage<Integer>> all = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      all.add(files.transact(StageFilesTest::addOne));
    }
    all.forEach(StageFilesTest::got);
    assertEquals(times, number(got(files.readAllBytes("/sum"))));
  }

  private static int number(byte[] text) {
    return Integer.parseInt(new String(text, UTF_8));
  }

  private static CompletionStage<Integer> addOne(StageTransaction transaction) {
    return transaction
        .readAllBytes("/sum")
        .thenCompose(
            sum -> {
              int next = number(sum) + 1;
              return transaction
                  .write("/sum", Integer.toString(next).getBytes(UTF_8))
                  .thenApply(_ -> next);
            });
  }

  @Test
  void whatTheBodyFailsWithRollsBack() {
    IllegalStateException mine = new IllegalStateException("mine");
    assertSame(
        mine,
        failed(
            IllegalStateException.class,
            files.transact(
                _ -> {
                  throw mine;
                })));
    assertSame(
        mine,
        failed(
            IllegalStateException.class,
            files.transact(
                transaction ->
                    transaction
                        .write("/f", new byte[1])
                        .thenCompose(_ -> CompletableFuture.<Integer>failedFuture(mine)))));
    assertFalse(got(files.exists("/f")));
  }

  // ------------------------------------------------------------------ failures

  @Test
  void stagesFailWithTheKind() {
    UpcallException.NotFound missing =
        failed(UpcallException.NotFound.class, files.readAllBytes("/none"));
    assertEquals("/none does not exist", missing.getMessage());
    failed(UpcallException.Invalid.class, files.stat("no/slash"));
    failed(UpcallException.Invalid.class, files.delete("no/slash"));
    failed(UpcallException.Invalid.class, files.read("/none", -1, 1));
    failed(UpcallException.Invalid.class, files.read("/none", 0, Integer.MAX_VALUE));
    failed(UpcallException.IsADirectory.class, files.read("/"));
    failed(UpcallException.AlreadyExists.class, files.createDirectory("/"));
    CompletionException behind =
        assertThrows(
            CompletionException.class,
            () -> got(files.readAllBytes("/none").thenApply(bytes -> bytes.length)));
    assertInstanceOf(UpcallException.NotFound.class, behind.getCause());
  }

  @Test
  void theDeathOfTheStoresThreadIsTold() {
    CountDownLatch release = stall();
    CompletionStage<FileInfo> inside = files.write("/f", new byte[1]);
    Error bug = new AssertionError("a bug of the test");
    store.execute(
        () -> {
          throw bug;
        });
    release.countDown();
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    inside.whenComplete((_, failed) -> told.complete(failed));
    assertSame(bug, assertInstanceOf(DispatcherStoppedException.class, got(told)).getCause());
    assertSame(bug, failed(DispatcherStoppedException.class, files.flush()).getCause());
    assertSame(bug, failed(DispatcherStoppedException.class, files.stat("/")).getCause());
  }

  // ------------------------------------------------------------------ where stages complete

  @Test
  void stagesCompleteOnTheExecutor() {
    CountDownLatch release = stall(); // what follows a stage that is complete runs where it is said
    CompletionStage<String> name = files.flush().thenApply(_ -> Thread.currentThread().getName());
    release.countDown();
    assertEquals("completions", got(name));
  }

  /** It would wait for what only it can do. */
  @Test
  void theStoresThreadCannotWaitForAStage() {
    got(files.write("/large", random(LARGE_BYTES, 5)));
    CompletableFuture<List<String>> refused = new CompletableFuture<>();
    store.execute(
        () -> {
          List<String> said = new ArrayList<>();
          for (CompletionStage<?> stage :
              List.of(
                  files.flush(),
                  files.flush().thenApply(_ -> 1),
                  files.readAllBytes("/large"),
                  files.transact(StageFilesTest::addOne))) {
            CompletableFuture<?> asked = stage.toCompletableFuture();
            said.add(assertThrows(IllegalStateException.class, asked::join).getMessage());
            assertThrows(IllegalStateException.class, asked::get);
            assertThrows(IllegalStateException.class, () -> asked.get(1, TimeUnit.MINUTES));
          }
          refused.complete(said);
        });
    String why =
        "the store's own thread would wait for itself; put what follows behind the stage, or use"
            + " the FileManager";
    assertEquals(Collections.nCopies(4, why), got(refused));
    assertNull(got(files.flush()), "the store lives on");
  }

  /** What runs in place, refuses, or has ended must not bring its work to the store's thread. */
  @Test
  void noExecutorReachesTheStoresThread() {
    Executor refusing =
        _ -> {
          throw new RejectedExecutionException("full");
        };
    for (Executor bad : List.<Executor>of(Runnable::run, refusing)) {
      CountDownLatch release = stall();
      try (StageFiles unlucky = store.newStageFiles(bad)) {
        CompletionStage<Boolean> virtual =
            unlucky.flush().thenApply(_ -> Thread.currentThread().isVirtual());
        release.countDown();
        assertTrue(got(virtual));
      }
    }
  }

  /**
   * A loop of stages over what is in memory neither grows the stack nor leaves its thread often.
   */
  @Test
  void aLoopOfAnswersAtOnceIsNoRecursion() {
    got(files.write("/warm", new byte[10]));
    while (!files.readAllBytes("/warm").toCompletableFuture().isDone()) {
      got(files.readAllBytes("/warm"));
    }
    assertEquals(20_000, got(loop(20_000, new AtomicInteger())));
    int here = 0;
    for (int i = 0; i < 330; i++) {
      Thread caller = Thread.currentThread();
      here += got(files.stat("/warm").thenApply(_ -> Thread.currentThread() == caller)) ? 1 : 0;
    }
    assertTrue(here >= 300 && here < 330, "went on at once: " + here);
  }

  private CompletionStage<Integer> loop(int times, AtomicInteger done) {
    CompletableFuture<Integer> all = new CompletableFuture<>();
    step(times, done, all);
    return all;
  }

  private void step(int times, AtomicInteger done, CompletableFuture<Integer> all) {
    files
        .readAllBytes("/warm")
        .whenComplete(
            (_, failed) -> {
              if (failed != null) {
                all.completeExceptionally(failed);
              } else if (done.incrementAndGet() == times) {
                all.complete(done.get());
              } else {
                step(times, done, all);
              }
            });
  }

  // ------------------------------------------------------------------ too much at once

  @Test
  void whatFindsNoRoomStandsInLine() {
    StageLimits limits = new StageLimits(4, 1000);
    try (StageFiles narrow = store.newStageFiles(executor, limits)) {
      CountDownLatch release = stall();
      List<CompletionStage<FileInfo>> all = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        all.add(narrow.write("/f", ("" + i).getBytes(UTF_8)));
      }
      assertEquals(limits, narrow.limits());
      assertEquals(4, narrow.inside());
      assertEquals(996, narrow.waiting());
      CompletableFuture<Void> room = narrow.whenRoom().toCompletableFuture();
      assertFalse(room.isDone());
      release.countDown();
      all.forEach(StageFilesTest::got);
      got(room);
      assertEquals("999", new String(got(narrow.readAllBytes("/f")), UTF_8));
      assertTrue(narrow.whenRoom().toCompletableFuture().isDone());
      assertEquals(0, narrow.waiting());
    }
  }

  /** As many as a program is likely to ask at once, with the limits that it is given. */
  @Test
  void thousandsAtOnceAreNotBusy() {
    CountDownLatch release = stall(); // nothing is answered before all are asked
    List<CompletionStage<?>> all = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      all.add(files.write("/f" + i, new byte[100]));
      all.add(files.readString("/none").exceptionally(_ -> ""));
    }
    release.countDown();
    all.forEach(StageFilesTest::got);
    assertEquals(2000, got(files.list("/", 4096)).entries().size());
  }

  /** Nothing is lost between many who come and few who may enter, and each finds its own order. */
  @Test
  void manyThreadsKeepTheirOrder() throws Exception {
    int threads = 6;
    int times = 200;
    try (StageFiles narrow = store.newStageFiles(executor, new StageLimits(3, threads * times))) {
      List<Thread> all = new ArrayList<>();
      List<CompletionStage<Void>> asked = Collections.synchronizedList(new ArrayList<>());
      for (int i = 0; i < threads; i++) {
        String name = "of-" + i;
        all.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      for (int j = 1; j <= times; j++) {
                        asked.add(narrow.setProperty(name, new byte[] {(byte) j}));
                      }
                    }));
      }
      for (Thread one : all) {
        one.join();
      }
      asked.forEach(StageFilesTest::got);
      assertEquals(threads * times, asked.size());
      for (int i = 0; i < threads; i++) {
        byte[] last = got(narrow.property("of-" + i)).orElseThrow();
        assertArrayEquals(new byte[] {(byte) times}, last);
      }
      assertEquals(0, narrow.waiting());
    }
  }

  @Test
  void aFullLineIsBusyAndSaysWhatToDo() {
    try (StageFiles narrow = store.newStageFiles(executor, new StageLimits(1, 1))) {
      CountDownLatch release = stall();
      CompletionStage<Void> inside = narrow.flush();
      CompletionStage<Void> waits = narrow.flush();
      UpcallException.Busy busy = failed(UpcallException.Busy.class, narrow.flush());
      assertEquals(
          "too many requests (1 inside, 1 in line); begin them behind StageFiles.whenRoom, or raise"
              + " StageLimits",
          busy.getMessage());
      release.countDown();
      got(inside);
      got(waits);
    }
  }

  // ------------------------------------------------------------------ given up

  @Test
  void whatWasCancelledInLineNeverBegins() {
    try (StageFiles narrow = store.newStageFiles(executor, new StageLimits(1, 10))) {
      CountDownLatch release = stall();
      CompletionStage<Void> inside = narrow.flush();
      CompletionStage<FileInfo> cancelled = narrow.createDirectory("/cancelled");
      assertTrue(cancelled.toCompletableFuture().cancel(false));
      release.countDown();
      got(inside);
      got(narrow.flush());
      assertFalse(got(narrow.exists("/cancelled")));
    }
  }

  /** One of each may be open: so one that nobody can close would keep the next out. */
  @Test
  void whatWasOpenedForNobodyIsClosed() {
    UpcallConfig one =
        TestedStore.RING
            .config()
            .withTransactions(
                new TransactionConfig(1, 60_000_000_000L, LockConfig.DEFAULT, RetryConfig.DEFAULT))
            .withSnapshots(new SnapshotConfig(1, 1));
    try (FsmUpcall small = Upcall.create(folder.resolve("one.upcall"), one).fsm();
        StageFiles unwanted = small.newStageFiles(executor)) {
      got(unwanted.write("/f", new byte[100_000]));
      CountDownLatch executing = new CountDownLatch(1);
      executor.execute(() -> awaited(executing)); // keeps completions from being handed over
      List<CompletionStage<?>> opened =
          List.of(
              unwanted.begin(),
              unwanted.snapshot(),
              unwanted.read("/f"),
              unwanted.readAllBytes("/f"),
              unwanted.put("/g", PutOptions.DEFAULT),
              unwanted.open("/f", OpenMode.EXISTING));
      small.flush();
      small.flush();
      for (CompletionStage<?> each : opened) {
        assertTrue(each.toCompletableFuture().cancel(false));
      }
      executing.countDown();
      got(unwanted.flush());
      got(unwanted.flush());
      assertEquals(0, got(unwanted.fileManagerInfo()).handlesOpen());
      got(got(unwanted.begin()).rollback());
      got(got(unwanted.snapshot()).close());
    }
  }

  @Test
  void aDeadlineEndsTheWaitAndSaysWhatIsKnown() {
    StageLimits limits = new StageLimits(1, 10);
    try (StageFiles narrow = store.newStageFiles(executor, limits)) {
      StageFiles hurried = narrow.within(Duration.ofMillis(250));
      StageFiles patient = narrow.within(Duration.ofSeconds(Long.MAX_VALUE));
      assertEquals(5, got(patient.write("/f", new byte[5])).sizeBytes());
      got(narrow.write("/lock", new byte[1]));
      StageTransaction holder = got(files.begin());
      got(holder.write("/lock", new byte[2]));
      String notBegun =
          "a request that found no room within PT0.25S, and of which nothing has happened, was"
              + " cancelled";
      String end = notBegun;
      while (end.equals(notBegun)) { // this thread did not run for so long
        end =
            failed(UpcallException.Cancelled.class, hurried.write("/lock", new byte[3]))
                .getMessage();
      }
      assertEquals(
          "the wait of PT0.25S for a request that goes on, and may take effect, was cancelled",
          end);
      // It still has the only place.
      UpcallException.Cancelled waiting =
          failed(UpcallException.Cancelled.class, hurried.createDirectory("/late"));
      assertEquals(notBegun, waiting.getMessage());
      got(holder.rollback());
      got(narrow.flush());
      assertFalse(got(narrow.exists("/late")));
      assertEquals(3, got(narrow.stat("/lock")).sizeBytes());
    }
    assertThrows(IllegalArgumentException.class, () -> files.within(Duration.ZERO));
  }

  @Test
  void aClosedDoorSaysSo() {
    StageFiles other = store.newStageFiles(executor, new StageLimits(1, 10));
    CountDownLatch release = stall();
    CompletionStage<Void> inside = other.flush();
    CompletionStage<Void> waiting = other.flush();
    other.close();
    other.close();
    failed(UpcallException.Closed.class, waiting);
    failed(UpcallException.Closed.class, other.stat("/"));
    release.countDown();
    assertNull(got(inside));
    got(files.flush());
  }

  /** The store ends what is asked of it, whatever door it came through. */
  @Test
  void closingTheStoreEndsAll() {
    CompletionStage<StageContent> open =
        files.write("/f", random(100_000, 4)).thenCompose(_ -> files.read("/f"));
    StageContent content = got(open);
    store.close();
    failed(UpcallException.Closed.class, content.read(0, ByteBuffer.allocate(1)));
    failed(UpcallException.Closed.class, files.flush());
    failed(UpcallException.Closed.class, files.stat("/"));
  }
}
