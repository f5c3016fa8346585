package dev.upcall.fileman.reading;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.fileman.blocking.BusyStore;
import dev.upcall.fileman.blocking.UpcallBehaviour;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.request.FileRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Looks that callers answer themselves say what the store would say. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("races")
class PublishedLooksTest {
  private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);
  private static final int READERS = 4;
  private static final int FILES = 400;

  @TempDir Path folder;

  private FsmUpcall create() {
    return Upcall.create(folder.resolve("volume.upcall"), UpcallBehaviour.small(DiskKind.CHANNEL))
        .fsm();
  }

  private static FsmUpcall filled(FsmUpcall store) {
    store.createDirectory("/d");
    store.write("/d/file", CONTENT);
    store.symbolicLink("/d/link", "file");
    store.setProperty("property", CONTENT);
    return store;
  }

  /** Looks find no view at first, and want one. */
  private static void publish(Upcall store) {
    store.stat("/");
  }

  @Test
  void nobodyWaitsForAStoreThatIsBusy() throws Exception {
    try (FsmUpcall store = filled(create());
        ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      publish(store);
      try (BusyStore _ = BusyStore.of(store)) {
        lookAtAll(store);
        virtual
            .submit(
                () -> {
                  lookAtAll(store);
                  return true;
                })
            .get();
      }
      assertTrue(
          store.<Long>await(
                      port -> {
                        FileManager files = store.fileManager();
                        files
                            .dispatcher()
                            .complete(port, Completion.done(files.metrics().looked()));
                      })
                  instanceof Completion.Done<Long>(Long looked)
              && looked >= 14);
    }
  }

  private static void lookAtAll(Upcall store) {
    assertEquals(CONTENT.length, store.stat("/d/link").sizeBytes());
    assertTrue(store.exists("/d/file"));
    assertFalse(store.exists("/d/none"));
    assertEquals("file", store.readLink("/d/link"));
    assertArrayEquals(CONTENT, store.property("property").orElseThrow());
    assertTrue(store.property("none").isEmpty());
    Listing listing = store.list("/d", 10);
    assertEquals(List.of("file", "link"), listing.entries().stream().map(FileInfo::name).toList());
    Listing.Range first = new Listing.Range(Listing.Direction.DESCENDING, 1);
    assertEquals(List.of("link"), store.names("/d", first).names());
  }

  @Test
  void failuresAreThoseOfTheStore() {
    try (FsmUpcall store = filled(create())) {
      publish(store);
      FileManager files = store.fileManager();
      BusyStore busy = BusyStore.of(store);
      List<String> own = new ArrayList<>();
      List<Consumer<CompletionPort<?>>> requests = new ArrayList<>();
      BiConsumer<Executable, Consumer<CompletionPort<?>>> both =
          (look, request) -> {
            own.add(assertThrows(UpcallException.class, look).failure().toString());
            requests.add(request);
          };
      both.accept(
          () -> store.stat("/none"), port -> files.stat("/none", LinkPolicy.FOLLOW, cast(port)));
      both.accept(
          () -> store.stat("/d/file/x"),
          port -> files.stat("/d/file/x", LinkPolicy.FOLLOW, cast(port)));
      both.accept(() -> store.list("/d/file", 1), port -> files.list("/d/file", "", 1, cast(port)));
      both.accept(() -> store.list("/d", 0), port -> files.list("/d", "", 0, cast(port)));
      Listing.Range none = new Listing.Range(Listing.Direction.ASCENDING, 0);
      both.accept(() -> store.names("/d", none), port -> files.names("/d", none, cast(port)));
      both.accept(() -> store.readLink("/d"), port -> files.readLink("/d", cast(port)));
      busy.close();
      List<String> theirs = new ArrayList<>();
      for (Consumer<CompletionPort<?>> request : requests) {
        Completion<Object> completion = store.await(request::accept);
        theirs.add(assertInstanceOf(Completion.Failed.class, completion).failure().toString());
      }
      assertEquals(theirs, own);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> CompletionPort<T> cast(CompletionPort<?> port) {
    return (CompletionPort<T>) port;
  }

  @Test
  void aFileThatExpiresIsGoneForWhoLooks() throws Exception {
    try (FsmUpcall store = create()) {
      Expiry soon = Expiry.after(Duration.ofMillis(200));
      store.write("/f", CONTENT, PutOptions.DEFAULT.withExpiry(soon));
      publish(store);
      try (BusyStore _ = BusyStore.of(store)) {
        while (store.exists("/f")) {
          Thread.sleep(1);
        }
        assertEquals(List.of(), store.list("/", 1).entries());
      }
    }
  }

  /** Who hears of a file finds it; and a file that has two names in turn always has one. */
  @Test
  void whatSomebodyHasHeardOfIsSeen() throws Exception {
    try (FsmUpcall store = create();
        ExecutorService readers = Executors.newCachedThreadPool()) {
      store.createDirectory("/one");
      store.write("/one/a", CONTENT);
      AtomicInteger told = new AtomicInteger();
      CountDownLatch looking = new CountDownLatch(READERS);
      List<Future<Integer>> looks = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        looks.add(readers.submit(lookUntilAllIsTold(store, told, looking)));
      }
      looking.await();
      for (int i = 1; i <= FILES; i++) {
        boolean there = i % 2 == 0;
        store.batch(
            List.of(
                new FileRequest.Rename(
                    StorePath.of(there ? "/one/b" : "/one/a"),
                    StorePath.of(there ? "/one/a" : "/one/b"),
                    Existence.MUST_NOT_EXIST)));
        store.write("/f" + i, CONTENT);
        told.set(i);
      }
      for (Future<Integer> look : looks) {
        assertTrue(look.get() > 0);
      }
    }
  }

  private static Callable<Integer> lookUntilAllIsTold(
      Upcall store, AtomicInteger told, CountDownLatch looking) {
    return () -> {
      int looks = 0;
      for (int heard = told.get(); heard < FILES; heard = told.get()) {
        if (heard > 0) {
          assertEquals("f" + heard, store.stat("/f" + heard).name());
        }
        assertEquals(1, store.list("/one", 10).entries().size());
        looks++;
        looking.countDown();
      }
      return looks;
    };
  }

  @Test
  void closedIsClosed() {
    FsmUpcall store = filled(create());
    publish(store);
    CompletableFuture<Throwable> own = new CompletableFuture<>();
    store.execute(
        () -> own.complete(assertThrows(IllegalStateException.class, () -> store.stat("/"))));
    own.join();
    store.close();
    UpcallException closed = assertThrows(UpcallException.class, () -> store.stat("/"));
    assertInstanceOf(Failure.Closed.class, closed.failure());
  }

  @Test
  void aFileManagerThatWasClosedAnswersNobody() {
    try (FsmUpcall store = filled(create())) {
      publish(store);
      store.await(store.fileManager()::close);
      UpcallException closed = assertThrows(UpcallException.class, () -> store.stat("/"));
      assertInstanceOf(Failure.Closed.class, closed.failure());
    }
  }

  @Test
  void deadIsDead() {
    FsmUpcall store = filled(create());
    publish(store);
    IllegalStateException bug = new IllegalStateException("a fault of ours");
    store.execute(
        () -> {
          throw bug;
        });
    assertThrows(DispatcherStoppedException.class, () -> store.write("/g", CONTENT));
    assertThrows(DispatcherStoppedException.class, () -> store.stat("/"));
    assertThrows(DispatcherStoppedException.class, store::close);
  }
}
