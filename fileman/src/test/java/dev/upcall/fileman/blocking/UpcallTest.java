package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.AsyncSnapshot;
import dev.upcall.Existence;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.reading.WholeRead;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Flight;
import dev.upcall.fsm.record.RecordKind;
import dev.upcall.request.Change;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The facade over the state machines, on the ring where there is one. */
class UpcallTest extends UpcallBehaviour {
  @Override
  protected UpcallConfig config() {
    return TestedStore.RING.config();
  }

  /**
   * One way there and one back, or none. What is larger stays open in between when it is first
   * read; from then on callers copy it.
   */
  @Test
  void aSmallFileIsReadByOneRequestAtMost() {
    try (Upcall store = Upcall.create(volume(), config())) {
      int[] sizes = {0, 1, 4096, 10_000, WholeRead.MAX_COPIED_BYTES, 65_537, 200_000};
      for (int size : sizes) {
        store.write("/f" + size, bytes(size, size));
      }
      for (String state : List.of("unplaced", "placed")) {
        for (int size : sizes) {
          long before = requests(store);
          assertArrayEquals(bytes(size, size), store.readAllBytes("/f" + size), state);
          long requests = requests(store) - before;
          boolean few = size <= WholeRead.MAX_COPIED_BYTES || state.equals("placed");
          assertEquals(few, requests <= 1, () -> state + ", " + size + " bytes: " + requests);
        }
        store.checkpoint();
      }
      failure(Failure.IsADirectory.class, () -> store.readAllBytes("/"));
      failure(Failure.NotFound.class, () -> store.readAllBytes("/none"));
    }
  }

  @Test
  void aSmallStreamIsWrittenByOneRequest() {
    try (Upcall store = Upcall.create(volume(), config())) {
      for (int size : new int[] {0, 1, 10_000, Change.Write.SMALL_BYTES, 65_537, 200_000}) {
        long before = requests(store);
        store.write("/f" + size, new ByteArrayInputStream(bytes(size, size)), PutOptions.DEFAULT);
        long requests = requests(store) - before;
        boolean small = size <= Change.Write.SMALL_BYTES;
        assertEquals(small, requests == 1, () -> size + " bytes: " + requests);
        assertArrayEquals(bytes(size, size), store.readAllBytes("/f" + size));
      }
    }
  }

  /** What calls have asked of the store's thread; nothing that it does by itself is among it. */
  private static long requests(Upcall store) {
    Dispatcher dispatcher = store.fsm().fileManager().dispatcher();
    CompletableFuture<Long> counted = new CompletableFuture<>();
    dispatcher.execute(
        () -> {
          int door = dispatcher.recorder().name("blocking calls");
          counted.complete(
              Flight.of(dispatcher).stream()
                  .filter(one -> one.kind() == RecordKind.REQUEST && one.name() == door)
                  .count());
        });
    return counted.join();
  }

  @Test
  void aSnapshotStaysWhatItWas() {
    UpcallSnapshot left;
    try (Upcall store = Upcall.create(volume(), config())) {
      store.createDirectory("/d");
      store.write("/d/small", bytes(1, 3000));
      store.write("/d/large", bytes(2, 500_000));
      store.symbolicLink("/d/link", "small");
      store.setProperty("state", new byte[] {1});
      UpcallSnapshot then = store.fsm().snapshot();
      Upcall.ReadStream stream = then.read("/d/large");
      store.write("/d/small", bytes(3, 4000));
      store.delete("/d/large");
      store.delete("/d/link");
      store.write("/d/new", bytes(4, 10));
      store.setProperty("state", new byte[] {2});
      store.rename("/d", "/e", Existence.MUST_NOT_EXIST);
      store.checkpoint();
      assertFalse(then.exists("/e"));
      assertEquals(3, then.list("/d", 100).entries().size());
      assertArrayEquals(bytes(1, 3000), then.readAllBytes("/d/link"));
      assertEquals("small", then.readLink("/d/link"));
      assertArrayEquals(new byte[] {1}, then.property("state").orElseThrow());
      assertArrayEquals(bytes(2, 500_000), then.readAllBytes("/d/large"));
      assertArrayEquals(bytes(3, 4000), store.readAllBytes("/e/small"));
      assertTrue(then.scn() < store.info().scn());
      assertTrue(then.info().heldBytes() >= 500_000, () -> then.info().toString());
      then.close();
      then.close();
      failure(Failure.Closed.class, () -> then.stat("/d"));
      ByteBuffer all = ByteBuffer.allocate(500_000);
      while (all.hasRemaining()) {
        assertTrue(stream.read(all.position(), all) > 0);
      }
      assertArrayEquals(bytes(2, 500_000), all.array());
      stream.close();
      left = store.fsm().snapshot();
    }
    left.close();
  }

  @Test
  void aNamedSnapshotStays() throws InterruptedException {
    try (Upcall store = Upcall.create(volume(), config())) {
      store.write("/large", bytes(1, 500_000));
      store.write("/small", bytes(2, 3000));
      assertEquals("then", store.fsm().createSnapshot("then").name());
      store.write("/large", bytes(3, 500_000));
      store.delete("/small");
      failure(Failure.AlreadyExists.class, () -> store.fsm().createSnapshot("then"));
      failure(Failure.Invalid.class, () -> store.fsm().createSnapshot("a/b"));
      failure(Failure.NotFound.class, () -> store.fsm().snapshot("when"));
    }
    try (Upcall store = Upcall.open(volume(), config());
        AsyncFiles files = store.fsm().newAsyncFiles()) {
      try (UpcallSnapshot then = store.fsm().snapshot("then")) {
        assertArrayEquals(bytes(1, 500_000), then.readAllBytes("/large"));
        assertArrayEquals(bytes(2, 3000), then.readAllBytes("/small"));
      }
      assertFalse(store.exists("/small"));
      assertTrue(
          store.fsm().snapshots().heldBytes() >= 500_000, () -> store.fsm().snapshots().toString());
      List<String> log = new ArrayList<>();
      files.snapshot("then", opened -> lookInto(opened, log));
      files.snapshots(list -> log.add(list.toString()));
      files.createSnapshot("now", made -> log.add(made.toString()));
      files.dropSnapshot("then", dropped -> log.add("dropped " + dropped));
      while (files.outstanding() > 0) {
        files.await(100, Duration.ofSeconds(120));
      }
      assertTrue(log.contains("size 3000"), log::toString);
      assertTrue(log.contains("lists 2"), "asked before it was closed: " + log);
      assertTrue(log.contains("Closed"), "asked after it was closed: " + log);
      assertEquals(
          List.of("now"), store.fsm().snapshots().snapshots().stream().map(s -> s.name()).toList());
      store.fsm().dropSnapshot("now");
    }
  }

  private static void lookInto(Completion<AsyncSnapshot> opened, List<String> log) {
    if (opened instanceof Completion.Done<AsyncSnapshot>(AsyncSnapshot then)) {
      then.stat(
          StorePath.of("/small"),
          LinkPolicy.FOLLOW,
          found -> {
            if (found instanceof Completion.Done<FileInfo>(FileInfo info)) {
              log.add("size " + info.sizeBytes());
            }
          });
      then.list(
          StorePath.of("/"),
          "",
          10,
          listed -> {
            if (listed instanceof Completion.Done<Listing>(Listing listing)) {
              log.add("lists " + listing.entries().size());
            }
          });
      then.close(closed -> log.add("closed " + closed));
      then.stat(
          StorePath.of("/small"),
          LinkPolicy.FOLLOW,
          found -> {
            if (found instanceof Completion.Failed<FileInfo>(Failure failure)) {
              log.add(failure.getClass().getSimpleName());
            }
          });
    }
  }

  @Test
  void theStoresOwnThreadIsRefused() throws Exception {
    try (Upcall store = Upcall.create(volume(), config())) {
      java.util.concurrent.CompletableFuture<Throwable> thrown =
          new java.util.concurrent.CompletableFuture<>();
      store
          .fsm()
          .execute(
              () -> {
                try {
                  store.stat("/");
                  thrown.complete(new AssertionError("not refused"));
                } catch (IllegalStateException refused) {
                  thrown.complete(refused);
                }
              });
      assertInstanceOf(IllegalStateException.class, thrown.get(120, TimeUnit.SECONDS));
    }
  }

  /** A stream may wait for the thread that is refused. */
  @Test
  void nothingIsReadOfAStreamForNobody() throws Exception {
    AtomicInteger reads = new AtomicInteger();
    InputStream content =
        new InputStream() {
          @Override
          public int read() {
            reads.incrementAndGet();
            return -1;
          }
        };
    Upcall store = Upcall.create(volume(), config());
    try (store) {
      CompletableFuture<FileInfo> written = new CompletableFuture<>();
      store
          .fsm()
          .execute(
              () -> {
                try {
                  written.complete(store.write("/f", content, PutOptions.DEFAULT));
                } catch (RuntimeException refused) {
                  written.completeExceptionally(refused);
                }
              });
      ExecutionException refused =
          assertThrows(ExecutionException.class, () -> written.get(120, TimeUnit.SECONDS));
      assertInstanceOf(IllegalStateException.class, refused.getCause());
    }
    assertThrows(
        UpcallException.Closed.class, () -> store.write("/f", content, PutOptions.DEFAULT));
    assertEquals(0, reads.get());
  }

  @Test
  void aProgramOnItsOwnThreadUsesPassivePorts() throws Exception {
    try (Upcall store = Upcall.create(volume(), config());
        AsyncFiles files = store.fsm().newAsyncFiles()) {
      byte[] content = bytes(4, 50_000);
      List<String> log = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        StorePath path = StorePath.of("/f" + i);
        FileRequest put =
            new FileRequest.Put(path, new FileContent.Bytes(content), PutOptions.DEFAULT);
        files.batch(
            List.of(put),
            Durability.SYNC,
            _ -> files.read(path, 100, 1000, read -> log.add(check(content, read))));
      }
      assertTrue(log.isEmpty());
      while (files.outstanding() > 0) {
        files.await(100, Duration.ofSeconds(120));
      }
      assertEquals(50, log.stream().filter("good"::equals).count());
      files.stat(StorePath.of("/nowhere"), LinkPolicy.FOLLOW, info -> log.add(info.toString()));
      assertEquals(1, files.await(1, Duration.ofSeconds(120)));
      assertTrue(log.getLast().contains("NotFound"), log.getLast());
      files.stat("nowhere", LinkPolicy.FOLLOW, info -> log.add(info.toString()));
      files.createDirectories("nowhere", made -> log.add(made.toString()));
      assertEquals(51, log.size(), "no completion comes inside the call");
      assertEquals(2, files.await(2, Duration.ofSeconds(120)));
      assertTrue(log.get(51).contains("Invalid") && log.get(52).contains("Invalid"), log::toString);
      assertEquals("/f0", named(files, port -> files.symbolicLink("/link", "/f0", port), "/link"));
      assertEquals(
          "/f1",
          named(
              files,
              port -> files.symbolicLink(StorePath.of("/two"), "/f1", port),
              StorePath.of("/two")));
      files.flush(flushed -> log.add(flushed.toString()));
      assertEquals(1, files.await(1, Duration.ofSeconds(120)));
      assertTrue(log.getLast().contains("Done"), log.getLast());
    }
  }

  /** Makes a link and says where it leads. */
  private static String named(
      AsyncFiles files, Consumer<CompletionPort<FileInfo>> make, CharSequence link)
      throws InterruptedException {
    List<Completion<String>> target = new ArrayList<>();
    make.accept(_ -> files.readLink(link, target::add));
    while (target.isEmpty()) {
      files.await(1, Duration.ofSeconds(120));
    }
    return UpcallException.value(target.getFirst());
  }

  private static String check(byte[] content, Completion<byte[]> read) {
    return read instanceof Completion.Done<byte[]>(byte[] bytes)
            && Arrays.equals(bytes, Arrays.copyOfRange(content, 100, 1100))
        ? "good"
        : "bad: " + read;
  }
}
