package dev.upcall.fileman.async;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.AsyncReads;
import dev.upcall.AsyncSnapshot;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
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
import dev.upcall.completion.Unit;
import dev.upcall.config.DiskKind;
import dev.upcall.fileman.blocking.BusyStore;
import dev.upcall.fileman.blocking.UpcallBehaviour;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program on a thread of its own is answered there, and cannot tell but by the time. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublishedAsyncTest {
  private static final int SIZE = 50_000;
  private static final int CHANGES = 400;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private FsmUpcall filled() {
    FsmUpcall store =
        Upcall.create(folder.resolve("volume.upcall"), UpcallBehaviour.small(DiskKind.CHANNEL))
            .fsm();
    store.createDirectory("/d");
    store.write("/d/file", UpcallBehaviour.bytes(1, SIZE));
    store.symbolicLink("/d/link", "file");
    store.setProperty("property", UpcallBehaviour.bytes(2, 10));
    return store;
  }

  /** The first look finds nothing published, and wants it. */
  private static void publish(AsyncFiles files) throws InterruptedException {
    files.read("/d/file", 0, 1, _ -> {});
    drain(files);
    files.read("/d/file", 0, 1, _ -> {});
    drain(files);
  }

  private static void drain(AsyncFiles files) throws InterruptedException {
    while (files.outstanding() > 0) {
      assertTrue(files.await(1000, PATIENCE) > 0);
    }
  }

  private static List<String> all(AsyncReads reads, AsyncFiles files) throws InterruptedException {
    List<String> heard = new ArrayList<>();
    reads.stat("/d/link", LinkPolicy.FOLLOW, told(heard));
    reads.stat("/d/none", LinkPolicy.FOLLOW, told(heard));
    reads.stat("/d/file/x", LinkPolicy.FOLLOW, told(heard));
    reads.list("/d", "", 10, told(heard));
    reads.list("/d", "", 0, told(heard));
    reads.names("/d", new Listing.Range(Listing.Direction.DESCENDING, 1), told(heard));
    reads.readLink("/d/link", told(heard));
    reads.readLink("/d", told(heard));
    reads.property("property", propertyTold(heard));
    reads.property("none", propertyTold(heard));
    for (long offset : new long[] {0, 1, 4096, 40_000, SIZE - 1, SIZE, 1L << 40}) {
      for (int most : new int[] {0, 1, 4096, 10_000, AsyncReads.MAX_READ_BYTES}) {
        reads.read("/d/link", offset, most, bytesTold(heard));
      }
    }
    reads.read("/d", 0, 1, bytesTold(heard));
    reads.read("/none", 0, 1, bytesTold(heard));
    assertTrue(heard.stream().allMatch(String::isEmpty), "no completion comes inside the call");
    drain(files);
    return heard;
  }

  private static <T> CompletionPort<T> told(List<String> heard) {
    return told(heard, Object::toString);
  }

  private static CompletionPort<byte[]> bytesTold(List<String> heard) {
    return told(heard, Arrays::toString);
  }

  private static CompletionPort<Optional<byte[]>> propertyTold(List<String> heard) {
    return told(heard, set -> set.map(Arrays::toString).toString());
  }

  /** Answers come in any order: each has the place of its request. */
  private static <T> CompletionPort<T> told(List<String> heard, Function<T, String> text) {
    int place = heard.size();
    heard.add("");
    return completion -> heard.set(place, completion.map(text).toString());
  }

  @Test
  void nobodyWaitsForAStoreThatIsBusy() throws InterruptedException {
    try (FsmUpcall store = filled();
        AsyncFiles files = store.newAsyncFiles()) {
      publish(files);
      List<String> here;
      try (BusyStore _ = BusyStore.of(store)) {
        here = all(files, files);
      }
      assertEquals(47, here.size());
      assertEquals(theirs(files), here);
    }
  }

  /** What the store itself says, of a snapshot of the same state. */
  private static List<String> theirs(AsyncFiles files) throws InterruptedException {
    List<AsyncSnapshot> taken = new ArrayList<>();
    files.snapshot(snapshot -> taken.add(UpcallException.value(snapshot)));
    drain(files);
    List<String> heard = all(taken.getFirst(), files);
    taken.getFirst().close(closed -> assertEquals(Unit.UNIT, UpcallException.value(closed)));
    drain(files);
    return heard;
  }

  @Test
  void whatIsInMemoryOvertakesWhatTheStoreIsAskedFor() throws InterruptedException {
    try (FsmUpcall store = filled();
        AsyncFiles files = store.newAsyncFiles()) {
      publish(files);
      List<String> heard = new ArrayList<>();
      try (BusyStore _ = BusyStore.of(store)) {
        files.flush(_ -> heard.add("flushed"));
        for (int i = 0; i < 100; i++) {
          String name = "look " + i;
          files.stat("/d/file", LinkPolicy.FOLLOW, _ -> heard.add(name));
        }
        assertEquals(100, files.await(1000, PATIENCE));
        assertEquals("look 0", heard.getFirst());
        assertEquals("look 99", heard.getLast());
        assertEquals(1, files.outstanding());
      }
      drain(files);
      assertEquals("flushed", heard.getLast());
    }
  }

  /** Who never drains cannot pile up answers for ever: the store says that it is too much. */
  @Test
  void answersThatNobodyDrainsAreBounded() throws InterruptedException {
    try (FsmUpcall store = filled();
        AsyncFiles files = store.newAsyncFiles()) {
      publish(files);
      List<Completion<FileInfo>> heard = new ArrayList<>();
      try (BusyStore _ = BusyStore.of(store)) {
        for (int i = 0; i < 2 * AsyncFiles.MAX_INSIDE + 1; i++) {
          files.stat("/d/file", LinkPolicy.FOLLOW, heard::add);
        }
        int drained = files.poll(Integer.MAX_VALUE);
        assertEquals(AsyncFiles.MAX_INSIDE + 1, drained, "those answered here, and one refused");
        assertInstanceOf(Failure.Busy.class, failure(heard.getLast()));
        assertEquals(AsyncFiles.MAX_INSIDE, files.outstanding());
      }
      drain(files);
      assertEquals(2 * AsyncFiles.MAX_INSIDE + 1, heard.size());
    }
  }

  private static Failure failure(Completion<?> completion) {
    return assertInstanceOf(Completion.Failed.class, completion).failure();
  }

  @Test
  void aChangeThatHasCompletedIsSeen() throws InterruptedException {
    try (FsmUpcall store = filled();
        AsyncFiles files = store.newAsyncFiles()) {
      publish(files);
      List<String> wrong = new ArrayList<>();
      int[] seen = new int[1];
      for (int i = 0; i < CHANGES; i++) {
        String path = "/v" + i % 7;
        byte[] content = UpcallBehaviour.bytes(i, 100 + i);
        FileRequest put =
            new FileRequest.Put(
                StorePath.of(path), new FileContent.Bytes(content), PutOptions.DEFAULT);
        CompletionPort<byte[]> read =
            completion -> {
              seen[0]++;
              if (!Arrays.equals(content, UpcallException.value(completion))) {
                wrong.add(path);
              }
            };
        Consumer<FileInfo> sized =
            info -> {
              seen[0]++;
              if (info.sizeBytes() != content.length) {
                wrong.add(path + " has " + info.sizeBytes());
              }
            };
        files.batch(
            List.of(put),
            Durability.ASYNC,
            _ -> {
              files.read(path, 0, AsyncReads.MAX_READ_BYTES, read);
              files.stat(path, LinkPolicy.FOLLOW, f -> sized.accept(UpcallException.value(f)));
            });
        if (i % 7 == 6) { // no two changes of a file are under way at once
          drain(files);
        }
      }
      drain(files);
      assertEquals(List.of(), wrong);
      assertEquals(2 * CHANGES, seen[0]);
    }
  }

  @Test
  void closedIsClosed() throws InterruptedException {
    FsmUpcall store = filled();
    AsyncFiles files = store.newAsyncFiles();
    publish(files);
    store.close();
    List<Completion<?>> heard = new ArrayList<>();
    files.stat("/d/file", LinkPolicy.FOLLOW, heard::add);
    files.read("/d/file", 0, 1, heard::add);
    drain(files);
    for (Completion<?> completion : heard) {
      assertInstanceOf(Failure.Closed.class, failure(completion));
    }
    assertEquals(2, heard.size());
    files.close();
  }

  @Test
  void aSnapshotThroughTheDoorShowsItsOwnMoment() throws InterruptedException {
    try (FsmUpcall store = filled();
        AsyncFiles files = store.newAsyncFiles()) {
      publish(files);
      List<byte[]> heard = new ArrayList<>();
      CompletionPort<Unit> closed = completion -> UpcallException.value(completion);
      files.snapshot(
          taken -> {
            AsyncSnapshot then = UpcallException.value(taken);
            store.write("/d/file", UpcallBehaviour.bytes(3, 10));
            then.read(
                "/d/file",
                0,
                SIZE,
                read -> {
                  heard.add(UpcallException.value(read));
                  then.close(closed);
                });
          });
      drain(files);
      assertArrayEquals(UpcallBehaviour.bytes(1, SIZE), heard.getFirst());
    }
  }
}
