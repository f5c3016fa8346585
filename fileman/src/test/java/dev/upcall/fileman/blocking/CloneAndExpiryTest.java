package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.UpcallBehaviour.bytes;
import static dev.upcall.fileman.blocking.UpcallBehaviour.failure;
import static dev.upcall.fileman.blocking.UpcallBehaviour.small;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Existence;
import dev.upcall.Expiry;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.fileman.engine.EngineUpcall;
import dev.upcall.request.FileRequest;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Clones and files that expire, under each engine, and under the others afterwards. */
class CloneAndExpiryTest {
  private static final int[] SIZES = {10, 3000, 70_000, 2_500_000};
  private static final Expiry PAST = new Expiry.At(1);
  private static final Expiry HOUR = Expiry.after(Duration.ofHours(1));
  private static final long PATIENCE_SECONDS = 60;

  @TempDir Path folder;

  private Path volume() {
    return folder.resolve("volume.upcall");
  }

  private static UpcallConfig config(Engine engine) {
    return small(DiskKind.AUTO).withEngine(engine);
  }

  // ------------------------------------------------------------------ clones

  @ParameterizedTest
  @EachEngine
  void eachSideOfACloneGoesItsOwnWay(Engine engine) throws Exception {
    try (Upcall store = Upcall.create(volume(), config(engine))) {
      for (int size : SIZES) {
        store.write("/source" + size, bytes(1, size));
        store.cloneFile("/source" + size, "/before" + size, Existence.ANY);
      }
      store.checkpoint();
      for (int size : SIZES) {
        store.cloneFile("/source" + size, "/after" + size, Existence.ANY);
        store.cloneFile("/after" + size, "/again" + size, Existence.ANY);
        store.write("/source" + size, bytes(2, size));
        try (Upcall.RandomAccess handle = store.open("/again" + size, OpenMode.EXISTING)) {
          handle.write(5, ByteBuffer.wrap(bytes(3, 4)));
          handle.flush();
        }
        store.delete("/before" + size);
      }
      compare(store);
      store.checkpoint();
      compare(store);
    }
    reopened(engine, CloneAndExpiryTest::compare);
  }

  private static void compare(Upcall store) {
    for (int size : SIZES) {
      assertArrayEquals(bytes(2, size), store.readAllBytes("/source" + size), "source " + size);
      assertArrayEquals(bytes(1, size), store.readAllBytes("/after" + size), "after " + size);
      byte[] patched = bytes(1, size);
      System.arraycopy(bytes(3, 4), 0, patched, 5, 4);
      assertArrayEquals(patched, store.readAllBytes("/again" + size), "again " + size);
      failure(Failure.NotFound.class, () -> store.stat("/before" + size));
    }
  }

  /** Threads that clone, change and remove both sides, while checkpoints place what is unplaced. */
  @ParameterizedTest
  @EachEngine
  void manyThreadsClone(Engine engine) throws Exception {
    try (Upcall store = Upcall.create(volume(), config(engine));
        ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int thread = i;
        all.add(threads.submit(() -> cloning(store, thread)));
      }
      for (int i = 0; i < 4; i++) {
        store.checkpoint();
      }
      for (Future<?> one : all) {
        one.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    }
    reopened(engine, store -> assertEquals(8, store.list("/", 100).entries().size()));
  }

  private static void cloning(Upcall store, int thread) {
    Random random = new Random(thread);
    String source = "/s" + thread;
    String clone = "/c" + thread;
    for (int i = 0; i < 25; i++) {
      int size = SIZES[random.nextInt(SIZES.length)] / (1 + random.nextInt(3));
      byte[] content = bytes(i, size);
      store.write(source, content);
      store.cloneFile(source, clone, Existence.ANY);
      byte[] longer = Arrays.copyOf(content, size + 100);
      if (random.nextBoolean()) {
        store.delete(source);
        assertArrayEquals(content, store.readAllBytes(clone));
      } else {
        appendZeros(store, source, size);
        assertArrayEquals(content, store.readAllBytes(clone));
        assertArrayEquals(longer, store.readAllBytes(source));
      }
    }
    store.write(source, bytes(1, 10));
  }

  /** As often as it takes: with so little memory few handles may have writes to commit at once. */
  private static void appendZeros(Upcall store, String path, int size) {
    while (true) {
      try (Upcall.RandomAccess handle = store.open(path, OpenMode.EXISTING)) {
        handle.write(size, ByteBuffer.wrap(new byte[100]));
        handle.flush();
        return;
      } catch (UpcallException failed) {
        assertInstanceOf(Failure.Busy.class, failed.failure());
      }
    }
  }

  // ------------------------------------------------------------------ expiry

  @ParameterizedTest
  @EachEngine
  void whatHasExpiredIsGoneAndCollected(Engine engine) throws Exception {
    try (Upcall store = Upcall.create(volume(), config(engine))) {
      for (int size : SIZES) {
        store.write("/stays" + size, bytes(1, size), PutOptions.DEFAULT.withExpiry(HOUR));
        store.write("/gone" + size, bytes(2, size), PutOptions.DEFAULT.withExpiry(PAST));
        store.write("/moved" + size, bytes(3, size), PutOptions.DEFAULT.withExpiry(HOUR));
        FileInfo there = store.stat("/moved" + size);
        assertTrue(there.times().hasExpiry());
        MetadataChange past = MetadataChange.NONE.withExpiry(PAST);
        store.batch(
            List.of(
                new FileRequest.SetMetadata(
                    StorePath.of("/moved" + size), LinkPolicy.FOLLOW, past)));
      }
      onlyWhatStays(store);
      collected(store, 2 * SIZES.length);
      onlyWhatStays(store);
      // A name that expired is free, and what replaces a file says anew how long it stays.
      PutOptions anew = PutOptions.DEFAULT.withExistence(Existence.MUST_NOT_EXIST);
      store.write("/gone10", bytes(4, 20), anew);
      assertFalse(store.stat("/gone10").times().hasExpiry());
      store.delete("/gone10");
      assertEquals("", store.fileManagerInfo().expiryFailure());
    }
    reopened(engine, CloneAndExpiryTest::onlyWhatStays);
  }

  private static void onlyWhatStays(Upcall store) {
    assertEquals(SIZES.length, store.list("/", 100).entries().size());
    for (int size : SIZES) {
      assertArrayEquals(bytes(1, size), store.readAllBytes("/stays" + size));
      failure(Failure.NotFound.class, () -> store.readAllBytes("/gone" + size));
      failure(Failure.NotFound.class, () -> store.stat("/moved" + size));
    }
  }

  /** Files that come and go by themselves under names that others write at the same time. */
  @ParameterizedTest
  @EachEngine
  void writersAndCollectorShareNames(Engine engine) throws Exception {
    try (Upcall store = Upcall.create(volume(), config(engine));
        ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        int thread = i;
        all.add(threads.submit(() -> expiring(store, thread)));
      }
      for (Future<?> one : all) {
        one.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      assertEquals(4, store.list("/", 100).entries().size());
    }
    reopened(engine, store -> assertEquals(4, store.list("/", 100).entries().size()));
  }

  private static void expiring(Upcall store, int thread) {
    StorePath path = StorePath.of("/n" + thread);
    for (int i = 0; i < 60; i++) {
      byte[] content = bytes(i, SIZES[i % 3]);
      Expiry expiry = i % 3 == 2 ? HOUR : PAST;
      store.batch(
          List.of(
              new FileRequest.Put(
                  path, new FileContent.Bytes(content), PutOptions.DEFAULT.withExpiry(expiry))));
      if (expiry == HOUR) {
        assertArrayEquals(content, store.readAllBytes(path.toString()));
      } else {
        failure(Failure.NotFound.class, () -> store.readAllBytes(path.toString()));
      }
    }
  }

  // ------------------------------------------------------------------ common

  private static void collected(Upcall store, int files) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (store.fileManagerInfo().expiredFiles() < files) {
      assertTrue(System.nanoTime() < deadline, () -> store.fileManagerInfo().toString());
    }
  }

  private interface Check {
    void of(Upcall store) throws Exception;
  }

  /** The same under every engine, and the volume is sound. */
  private void reopened(Engine engine, Check check) throws Exception {
    for (Engine other : List.of(engine, Engine.FSM, engine)) {
      try (Upcall store = Upcall.open(volume(), config(other))) {
        check.of(store);
        VerifyReport report = verify(store);
        assertTrue(report.isSound(), report::toString);
      }
    }
  }

  private static VerifyReport verify(Upcall store) {
    return UpcallException.value(
        ((EngineUpcall) store)
            .amongMachines(
                (files, port) ->
                    files.store().verify(new VerifyOptions(true), (_, _) -> true, port)));
  }
}
