package dev.upcall.fileman.stage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.stage.StageContent;
import dev.upcall.stage.StageFiles;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contents that are published as they are asked for, and taken as the store takes them. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StageContentTest {
  private static final int BYTES = 200_000;
  private static final int PIECES = 4;

  @TempDir Path folder;
  private final byte[] content = new byte[BYTES];
  private FsmUpcall store;
  private ExecutorService executor;
  private StageFiles files;

  @BeforeEach
  void open() {
    new Random(7).nextBytes(content);
    store = Upcall.create(folder.resolve("v.upcall"), TestedStore.RING.config()).fsm();
    executor = Executors.newFixedThreadPool(2);
    files = store.newStageFiles(executor);
    store.write("/f", content);
  }

  @AfterEach
  void close() {
    files.close();
    store.close();
    executor.shutdownNow();
  }

  private static <T> T got(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static Throwable failed(CompletionStage<?> stage) {
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    stage.whenComplete((_, failed) -> told.complete(failed));
    return got(told);
  }

  /** Notes signals in their order: a subscription, pieces, an end or a failure. */
  private static final class Signals implements Flow.Subscriber<ByteBuffer> {
    private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    private final long wanted;

    Signals(long wanted) {
      this.wanted = wanted;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      heard.add(subscription);
      if (wanted != 0) {
        subscription.request(wanted);
      }
    }

    @Override
    public void onNext(ByteBuffer piece) {
      heard.add(piece);
    }

    @Override
    public void onError(Throwable failed) {
      heard.add(failed);
    }

    @Override
    public void onComplete() {
      heard.add("end");
    }

    <T> T next(Class<T> kind) throws InterruptedException {
      Object signal = heard.poll(60, TimeUnit.SECONDS);
      return assertInstanceOf(kind, signal);
    }
  }

  /** Nothing stays open: who is told of an end may be told before all is given back. */
  private void awaitNoHandle() {
    while (got(files.fileManagerInfo()).handlesOpen() > 0) {
      got(files.flush());
    }
  }

  @Test
  void aSubscriberGetsAllInOrderAndTheEnd() throws Exception {
    Signals signals = new Signals(Long.MAX_VALUE);
    files.publish("/f").subscribe(signals);
    signals.next(Flow.Subscription.class);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < PIECES; i++) {
      ByteBuffer piece = signals.next(ByteBuffer.class);
      assertTrue(piece.remaining() > 0 && piece.remaining() <= 64 << 10);
      all.write(piece.array(), 0, piece.remaining());
    }
    assertEquals("end", signals.next(String.class));
    assertArrayEquals(content, all.toByteArray());
  }

  /** No piece comes that nobody has requested. */
  @Test
  void piecesComeAsTheyAreRequested() throws Exception {
    Signals signals = new Signals(0);
    files.publish("/f").subscribe(signals);
    Flow.Subscription subscription = signals.next(Flow.Subscription.class);
    for (int i = 0; i < PIECES; i++) {
      got(files.flush());
      assertTrue(signals.heard.isEmpty());
      subscription.request(1);
      signals.next(ByteBuffer.class);
    }
    assertEquals("end", signals.next(String.class));
    subscription.request(1);
    subscription.cancel();
    got(files.flush());
    assertTrue(signals.heard.isEmpty());
  }

  /** The version is that of the subscription, and a subscriber who leaves lets it go. */
  @Test
  void aSubscriberHoldsItsVersionUntilItLeaves() throws Exception {
    Signals signals = new Signals(1);
    files.publish("/f").subscribe(signals);
    Flow.Subscription subscription = signals.next(Flow.Subscription.class);
    got(files.delete("/f"));
    ByteBuffer first = signals.next(ByteBuffer.class);
    assertEquals(ByteBuffer.wrap(content, 0, first.remaining()), first);
    subscription.cancel();
    got(files.flush());
    assertTrue(signals.heard.isEmpty());
    Signals late = new Signals(1);
    files.publish("/f").subscribe(late);
    late.next(Flow.Subscription.class);
    late.next(UpcallException.NotFound.class);
  }

  @Test
  void anEmptyFileEndsAtOnce() throws Exception {
    store.write("/empty", new byte[0]);
    Signals signals = new Signals(0);
    files.publish("/empty").subscribe(signals);
    signals.next(Flow.Subscription.class);
    assertEquals("end", signals.next(String.class));
  }

  @Test
  void aRequestOfNothingIsAFailure() throws Exception {
    Signals signals = new Signals(-1);
    files.publish("/f").subscribe(signals);
    signals.next(Flow.Subscription.class);
    signals.next(IllegalArgumentException.class);
    Signals noPath = new Signals(1);
    files.publish("f").subscribe(noPath);
    noPath.next(Flow.Subscription.class);
    noPath.next(UpcallException.Invalid.class);
  }

  @Test
  void anOpenContentIsPublishedAgainAndAgain() throws Exception {
    StageContent open = got(files.read("/f"));
    for (int i = 0; i < 2; i++) {
      Signals signals = new Signals(Long.MAX_VALUE);
      open.publish().subscribe(signals);
      signals.next(Flow.Subscription.class);
      for (int j = 0; j < PIECES; j++) {
        signals.next(ByteBuffer.class);
      }
      assertEquals("end", signals.next(String.class));
    }
    got(open.close());
    Signals late = new Signals(1);
    open.publish().subscribe(late);
    late.next(Flow.Subscription.class);
    late.next(UpcallException.Closed.class);
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
    }
  }

  // ------------------------------------------------------------------ into the store

  @Test
  void aFileIsMadeOfWhatIsPublished() {
    CompletionStage<FileInfo> made;
    try (SubmissionPublisher<ByteBuffer> sending = new SubmissionPublisher<>(executor, 2)) {
      made = files.write("/g", sending, PutOptions.WITH_PARENTS);
      for (int from = 0; from < BYTES; from += 1000) {
        sending.submit(ByteBuffer.wrap(content, from, 1000));
      }
      assertFalse(got(files.exists("/g")));
    }
    assertEquals(BYTES, got(made).sizeBytes());
    assertArrayEquals(content, store.readAllBytes("/g"));
    assertEquals(
        BYTES, got(files.write("/h", files.publish("/g"), PutOptions.DEFAULT)).sizeBytes());
    assertArrayEquals(content, store.readAllBytes("/h"));
    Flow.Publisher<ByteBuffer> nothing = files.publish("/h");
    got(files.write("/h", new byte[0]));
    assertEquals(0, got(files.write("/none", nothing, PutOptions.DEFAULT)).sizeBytes());
  }

  @Test
  void aPublisherThatFailsLeavesNothing() {
    IllegalStateException mine = new IllegalStateException("mine");
    SubmissionPublisher<ByteBuffer> sending = new SubmissionPublisher<>(executor, 2);
    CompletionStage<FileInfo> made = files.write("/g", sending, PutOptions.DEFAULT);
    sending.submit(ByteBuffer.wrap(content));
    sending.closeExceptionally(mine);
    assertSame(mine, failed(made));
    assertFalse(got(files.exists("/g")));
    awaitNoHandle();
    assertInstanceOf(
        UpcallException.NotFound.class,
        failed(files.write("/g", files.publish("/missing"), PutOptions.DEFAULT)));
    for (Throwable unwilling :
        List.of(new IllegalStateException("unwilling"), new AssertionError("unable"))) {
      assertSame(unwilling, failed(files.write("/g", _ -> sneak(unwilling), PutOptions.DEFAULT)));
      assertSame(unwilling, failed(files.stage(_ -> sneak(unwilling))));
    }
    awaitNoHandle();
  }

  private static void sneak(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }

  /** The store is busy with something else meanwhile. */
  @Test
  void write_sendsRightAfterTheCall_losesNothing() {
    CountDownLatch release = new CountDownLatch(1);
    store.execute(() -> awaited(release));
    SubmissionPublisher<ByteBuffer> sending = new SubmissionPublisher<>(executor, 2);
    CompletionStage<FileInfo> made = files.write("/g", sending, PutOptions.DEFAULT);
    SubmissionPublisher<ByteBuffer> staging = new SubmissionPublisher<>(executor, 2);
    CompletionStage<StagedContent> staged = files.stage(staging);
    assertEquals(1, sending.getNumberOfSubscribers());
    assertEquals(1, staging.getNumberOfSubscribers());
    sending.submit(ByteBuffer.wrap(content, 0, 1000));
    sending.close();
    staging.submit(ByteBuffer.wrap(content, 0, 500));
    staging.close();
    release.countDown();
    assertEquals(1000, got(made).sizeBytes());
    assertArrayEquals(Arrays.copyOf(content, 1000), store.readAllBytes("/g"));
    assertEquals(500, got(staged).sizeBytes());
    got(files.discard(got(staged)));
  }

  @Test
  void write_ofNothing_makesAnEmptyFile() {
    SubmissionPublisher<ByteBuffer> sending = new SubmissionPublisher<>(executor, 2);
    CompletionStage<FileInfo> made = files.write("/g", sending, PutOptions.DEFAULT);
    sending.close();
    assertEquals(0, got(made).sizeBytes());
  }

  /** A publisher that breaks the rules: what it sends unasked must not be lost without a word. */
  @Test
  void write_sentWhatWasNotAskedFor_fails() {
    CountDownLatch release = new CountDownLatch(1);
    store.execute(() -> awaited(release));
    CompletionStage<FileInfo> made =
        files.write(
            "/g",
            subscriber -> {
              subscriber.onNext(ByteBuffer.wrap(content));
              subscriber.onComplete();
            },
            PutOptions.DEFAULT);
    release.countDown();
    assertInstanceOf(IllegalStateException.class, failed(made));
    CompletionStage<FileInfo> ofNull =
        files.write(
            "/g",
            subscriber ->
                subscriber.onSubscribe(
                    new Flow.Subscription() {
                      @Override
                      public void request(long count) {
                        assertThrows(NullPointerException.class, () -> subscriber.onNext(null));
                      }

                      @Override
                      public void cancel() {}
                    }),
            PutOptions.DEFAULT);
    assertInstanceOf(NullPointerException.class, failed(ofNull));
    awaitNoHandle();
    assertFalse(got(files.exists("/g")));
  }

  /** A publisher's side that the test breaks. */
  private static final class Sending implements Flow.Subscription {
    private final AtomicInteger cancels = new AtomicInteger();
    private final CompletableFuture<Void> cancelled = new CompletableFuture<>();
    private final LongConsumer requested;

    Sending(LongConsumer requested) {
      this.requested = requested;
    }

    @Override
    public void request(long count) {
      requested.accept(count);
    }

    @Override
    public void cancel() {
      cancels.incrementAndGet();
      cancelled.complete(null);
      throw new AssertionError("unable to cancel");
    }
  }

  /** The publisher writes a file, or stages content. */
  private List<CompletionStage<?>> taken(StageFiles door, Flow.Publisher<ByteBuffer> content) {
    return List.of(door.write("/g", content, PutOptions.DEFAULT), door.stage(content));
  }

  private void assertNothingIsLeft() {
    awaitNoHandle();
    assertFalse(got(files.exists("/g")));
  }

  @Test
  void write_requestThrows_failsAndCancelsOnce() {
    for (Throwable thrown :
        List.of(new IllegalStateException("unwilling"), new AssertionError("unable"))) {
      for (int sent : new int[] {0, 1}) { // before the first buffer, and behind it
        List<Sending> all = new CopyOnWriteArrayList<>();
        Flow.Publisher<ByteBuffer> content =
            subscriber -> {
              AtomicInteger requests = new AtomicInteger();
              Sending sending =
                  new Sending(
                      _ -> {
                        if (requests.getAndIncrement() == sent) {
                          sneak(thrown);
                        }
                        subscriber.onNext(ByteBuffer.wrap(content(10)));
                      });
              all.add(sending);
              subscriber.onSubscribe(sending);
            };
        for (CompletionStage<?> stage : taken(files, content)) {
          assertSame(thrown, failed(stage));
        }
        for (Sending each : all) {
          got(each.cancelled);
          assertEquals(1, each.cancels.get());
        }
        assertNothingIsLeft();
      }
    }
  }

  private byte[] content(int bytes) {
    return Arrays.copyOf(content, bytes);
  }

  @Test
  void write_signalsAreNull_fails() {
    List<Consumer<Flow.Subscriber<? super ByteBuffer>>> wrong =
        List.of(
            subscriber -> subscriber.onSubscribe(null),
            subscriber -> {
              subscriber.onSubscribe(new Sending(_ -> {}));
              subscriber.onError(null);
            });
    for (Consumer<Flow.Subscriber<? super ByteBuffer>> signals : wrong) {
      Flow.Publisher<ByteBuffer> content =
          subscriber ->
              executor.execute(
                  () -> assertThrows(NullPointerException.class, () -> signals.accept(subscriber)));
      for (CompletionStage<?> stage : taken(files, content)) {
        assertInstanceOf(NullPointerException.class, failed(stage));
      }
      assertNothingIsLeft();
    }
  }

  /** All places are in use more than once over: none may be lost. */
  @Test
  void write_publishersThatFail_giveTheirPlacesBack() {
    AssertionError unable = new AssertionError("unable");
    for (int i = 0; i < 200; i++) {
      for (CompletionStage<?> stage :
          taken(files, subscriber -> subscriber.onSubscribe(new Sending(_ -> sneak(unable))))) {
        assertSame(unable, failed(stage));
      }
    }
    assertNothingIsLeft();
  }

  @Test
  void within_publisherFallsSilent_isCancelledAtTheDeadline() {
    StageFiles hurried = files.within(Duration.ofMillis(50));
    List<Sending> all = new CopyOnWriteArrayList<>();
    Flow.Publisher<ByteBuffer> silent =
        subscriber -> {
          Sending sending = new Sending(_ -> {});
          all.add(sending);
          subscriber.onSubscribe(sending);
        };
    List<Flow.Publisher<ByteBuffer>> publishers = List.of(silent, _ -> {});
    for (Flow.Publisher<ByteBuffer> content : publishers) {
      for (CompletionStage<?> stage : taken(hurried, content)) {
        assertInstanceOf(UpcallException.Cancelled.class, failed(stage));
      }
      assertNothingIsLeft();
    }
    for (Sending each : all) {
      got(each.cancelled);
      assertEquals(1, each.cancels.get());
    }
    assertEquals(10, got(files.write("/g", content(10), PutOptions.DEFAULT)).sizeBytes());
  }

  /** The store refuses: the publisher hears it, and is asked for nothing. */
  @Test
  void aFileThatCannotBeMadeCancels() {
    CompletableFuture<String> heard = new CompletableFuture<>();
    CountDownLatch release = new CountDownLatch(1);
    store.execute(() -> awaited(release));
    CompletionStage<FileInfo> refused =
        files.write(
            "/no/parent",
            subscriber ->
                subscriber.onSubscribe(
                    new Flow.Subscription() {
                      @Override
                      public void request(long count) {
                        heard.complete("request");
                      }

                      @Override
                      public void cancel() {
                        heard.complete("cancel");
                      }
                    }),
            PutOptions.DEFAULT);
    release.countDown();
    assertInstanceOf(UpcallException.NotFound.class, failed(refused));
    assertEquals("cancel", got(heard));
    SubmissionPublisher<ByteBuffer> sending = new SubmissionPublisher<>(executor, 2);
    CompletableFuture<FileInfo> made =
        files.write("/g", sending, PutOptions.DEFAULT).toCompletableFuture();
    sending.submit(ByteBuffer.wrap(Arrays.copyOf(content, 10)));
    assertTrue(made.cancel(false));
    while (sending.hasSubscribers()) {
      got(files.flush());
      sending.offer(ByteBuffer.wrap(content, 0, 1), null);
    }
    awaitNoHandle();
    assertFalse(got(files.exists("/g")));
    sending.close();
  }
}
