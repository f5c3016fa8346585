package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.FileContent;
import dev.upcall.FsmUpcall;
import dev.upcall.Listing.Change;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallTransaction;
import dev.upcall.fileman.watch.ChangeSubscription;
import dev.upcall.request.FileRequest;
import dev.upcall.stage.StageFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs hear of changes of a directory, where, and when they take too little of it. */
class ChangesTest {
  private static final long PATIENCE_S = 60;
  private static final String END = "complete";

  @TempDir Path folder;
  private FsmUpcall store;
  private ExecutorService executor;
  private StageFiles files;

  @BeforeEach
  void open() {
    store = Upcall.create(folder.resolve("v.upcall"), TestedStore.RING.config()).fsm();
    executor = Executors.newSingleThreadExecutor(run -> new Thread(run, "signals"));
    files = store.newStageFiles(executor);
    store.createDirectory("/d");
  }

  @AfterEach
  void close() {
    files.close();
    store.close();
    executor.shutdownNow();
  }

  /** Keeps its signals, and on which thread they came. */
  private static class Heard implements Flow.Subscriber<Change> {
    final BlockingQueue<Object> signals = new LinkedBlockingQueue<>();
    final BlockingQueue<Flow.Subscription> begun = new LinkedBlockingQueue<>();
    final List<Thread> threads = new ArrayList<>();

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      begun.add(subscription);
    }

    @Override
    public void onNext(Change change) {
      threads.add(Thread.currentThread());
      signals.add(change);
    }

    @Override
    public void onError(Throwable failed) {
      signals.add(failed);
    }

    @Override
    public void onComplete() {
      signals.add(END);
    }

    Object next() throws InterruptedException {
      Object signal = signals.poll(PATIENCE_S, TimeUnit.SECONDS);
      assertNotNull(signal, "no signal");
      return signal;
    }

    void expect(Change.Kind kind, String path) throws InterruptedException {
      Change change = assertInstanceOf(Change.class, next());
      assertEquals(kind + " " + path, change.kind() + " " + change.path());
    }
  }

  private static Flow.Subscription begun(Heard heard) throws InterruptedException {
    Flow.Subscription subscription = heard.begun.poll(PATIENCE_S, TimeUnit.SECONDS);
    assertNotNull(subscription, "no subscription");
    return subscription;
  }

  private Heard subscribed(String directory, long wanted) throws InterruptedException {
    Heard heard = new Heard();
    files.changes(directory).subscribe(heard);
    begun(heard).request(wanted);
    return heard;
  }

  private static FileRequest put(String path) {
    return new FileRequest.Put(
        StorePath.of(path), new FileContent.Bytes(new byte[] {1}), PutOptions.DEFAULT);
  }

  private static List<FileRequest> puts(int from, int count) {
    return IntStream.range(from, from + count).mapToObj(i -> put("/d/f" + i)).toList();
  }

  /** In batches that a small store takes. */
  private void make(int from, int count) {
    for (int made = 0; made < count; made += 512) {
      store.batch(puts(from + made, Math.min(512, count - made)));
    }
  }

  @Test
  void whatIsAppliedIsToldInTheOrderOfCommits() throws InterruptedException {
    store.writeString("/d/old", "old");
    Heard heard = subscribed("/d", Long.MAX_VALUE);
    store.writeString("/d/old", "new");
    store.rename("/d/old", "/d/moved");
    store.writeString("/elsewhere", "x");
    store.batch(List.of(put("/d/a"), put("/d/b")));
    store.delete("/d/moved");
    store.rename("/d", "/e");
    store.writeString("/e/after", "x");
    heard.expect(Change.Kind.MODIFIED, "/d/old");
    heard.expect(Change.Kind.DELETED, "/d/old");
    heard.expect(Change.Kind.CREATED, "/d/moved");
    Change first = assertInstanceOf(Change.class, heard.next());
    Change second = assertInstanceOf(Change.class, heard.next());
    assertEquals(List.of("/d/a", "/d/b"), List.of("" + first.path(), "" + second.path()));
    assertEquals(first.scn(), second.scn(), "one commit");
    Change last = assertInstanceOf(Change.class, heard.next());
    assertEquals(Change.Kind.DELETED, last.kind());
    assertTrue(last.scn() > second.scn(), () -> second + ", then " + last);
    heard.expect(Change.Kind.CREATED, "/d/after"); // renamed meanwhile
    assertTrue(heard.threads.stream().allMatch(thread -> thread.getName().equals("signals")));
  }

  /** The number is that of the commit, as a transaction says it. */
  @Test
  void aChangeHasTheNumberOfItsCommit() throws InterruptedException {
    Heard heard = subscribed("/d", 2);
    long committed;
    try (UpcallTransaction transaction = store.begin()) {
      transaction.writeString("/d/a", "x");
      transaction.writeString("/d/b", "x");
      transaction.delete("/d/b");
      committed = transaction.commit();
    }
    assertEquals(new Change(Change.Kind.CREATED, StorePath.of("/d/a"), committed), heard.next());
    store.delete("/d/a");
    heard.expect(Change.Kind.DELETED, "/d/a");
  }

  @Test
  void noMoreIsToldThanWasRequested() throws InterruptedException {
    Heard heard = subscribed("/d", 1);
    store.batch(puts(0, 3));
    heard.expect(Change.Kind.CREATED, "/d/f0");
    Heard other = subscribed("/d", 1);
    store.batch(puts(3, 1));
    other.expect(Change.Kind.CREATED, "/d/f3"); // on the same thread, behind what would be too much
    assertNull(heard.signals.poll());
  }

  @Test
  void whatIsMissingIsToldInItsPlace() throws InterruptedException {
    Heard heard = new Heard();
    files.changes("/d").subscribe(heard);
    Flow.Subscription subscription = begun(heard);
    int most = ChangeSubscription.MAX_CHANGES;
    make(0, most);
    make(most, 1000);
    assertNull(heard.signals.peek(), "nothing was requested");
    subscription.request(most);
    List<Change> told = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      told.add(assertInstanceOf(Change.class, heard.next()));
    }
    assertEquals(most, told.stream().map(Change::path).distinct().count());
    assertTrue(told.stream().allMatch(change -> change.kind() == Change.Kind.CREATED));
    store.delete("/d/f0"); // there is room again, behind what says that some are missing
    subscription.request(2);
    heard.expect(Change.Kind.OVERFLOWED, "/d");
    heard.expect(Change.Kind.DELETED, "/d/f0");
    store.batch(puts(0, 1));
    subscription.request(1);
    heard.expect(Change.Kind.CREATED, "/d/f0");
  }

  @Test
  void whatCannotBeWatchedSaysWhy() throws InterruptedException {
    store.writeString("/file", "x");
    assertInstanceOf(UpcallException.NotFound.class, subscribed("/none", 1).next());
    assertInstanceOf(UpcallException.NotADirectory.class, subscribed("/file", 1).next());
    assertInstanceOf(UpcallException.Invalid.class, subscribed("no path", 1).next());
    assertInstanceOf(IllegalArgumentException.class, subscribed("/d", 0).next());
  }

  @Test
  void itEndsWithItsDirectoryAndWithTheStore() throws InterruptedException {
    Heard deleted = subscribed("/d", Long.MAX_VALUE);
    Heard left = subscribed("/", Long.MAX_VALUE);
    store.deleteTree("/d");
    assertSame(END, deleted.next());
    left.expect(Change.Kind.DELETED, "/d");
    store.close();
    assertSame(END, left.next());
  }

  @Test
  void whoHasCancelledHearsNothing() throws InterruptedException {
    Heard cancelled = new Heard();
    files.changes("/d").subscribe(cancelled);
    Flow.Subscription subscription = begun(cancelled);
    subscription.request(Long.MAX_VALUE);
    Heard stays = subscribed("/d", Long.MAX_VALUE);
    subscription.cancel();
    store.writeString("/d/a", "x");
    stays.expect(Change.Kind.CREATED, "/d/a");
    store.deleteTree("/d"); // in one, so of what was in it nothing is told
    assertSame(END, stays.next());
    assertNull(cancelled.signals.poll());
  }

  /** A program on a thread of its own hears where it polls. */
  @Test
  void signalsComeWhereAProgramPolls() throws InterruptedException {
    try (AsyncFiles async = store.newAsyncFiles()) {
      Heard heard = new Heard();
      async.changes("/d").subscribe(heard);
      while (heard.begun.isEmpty()) {
        async.await(10);
      }
      Flow.Subscription subscription = heard.begun.remove();
      subscription.request(2);
      store.batch(puts(0, 3));
      assertTrue(heard.signals.isEmpty(), "inside poll only");
      while (heard.signals.size() < 2) {
        async.await(10);
      }
      assertEquals(0, async.outstanding());
      heard.expect(Change.Kind.CREATED, "/d/f0");
      heard.expect(Change.Kind.CREATED, "/d/f1");
      assertSame(Thread.currentThread(), heard.threads.getFirst());
      subscription.request(1);
      while (heard.signals.isEmpty()) {
        async.await(10);
      }
      heard.expect(Change.Kind.CREATED, "/d/f2");
      subscription.cancel();
      Heard none = new Heard();
      async.changes("/none").subscribe(none);
      while (none.signals.isEmpty()) {
        async.await(10);
      }
      assertInstanceOf(UpcallException.NotFound.class, none.next());
      assertEquals(0, async.outstanding());
    }
  }
}
