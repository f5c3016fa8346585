package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.UpcallBehaviour.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Existence;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Many virtual threads at one store at once, up to its end. */
@Tag("races")
class ManyCallersTest {
  @TempDir Path folder;

  private Path volume;

  @BeforeEach
  void name() {
    volume = folder.resolve("volume.upcall");
  }

  @ParameterizedTest
  @EachEngine
  void manyVirtualThreadsUseOneStore(TestedStore tested) throws Exception {
    int threads = 200;
    try (Upcall store = Upcall.create(volume, tested.config());
        ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int seed = i;
        all.add(executor.submit(() -> workOn(store, "/t" + seed % 20 + "/f" + seed, seed)));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
      int[] count = new int[1];
      store.forEach("/", directory -> store.forEach("/" + directory.name(), _ -> count[0]++));
      assertEquals(threads, count[0]);
    }
    try (Upcall store = Upcall.open(volume, tested.config())) {
      for (int seed = 0; seed < threads; seed++) {
        assertArrayEquals(
            bytes(seed, 1 + seed * 700), store.readAllBytes("/t" + seed % 20 + "/f" + seed));
      }
    }
  }

  private static void workOn(Upcall store, String path, int seed) {
    byte[] content = bytes(seed, 1 + seed * 700);
    store.write(path + ".tmp", content, PutOptions.WITH_PARENTS);
    assertArrayEquals(content, store.readAllBytes(path + ".tmp"));
    store.rename(path + ".tmp", path, Existence.ANY);
    store.setMetadata(path, LinkPolicy.FOLLOW, MetadataChange.NONE.withMode(0600));
    assertEquals(0600, store.stat(path).mode());
  }

  @ParameterizedTest
  @EachEngine
  void closingUnderLoadKeepsWhatWasAcknowledged(TestedStore tested) throws Exception {
    Upcall store = Upcall.create(volume, tested.config());
    CountDownLatch some = new CountDownLatch(300);
    List<Future<Integer>> acknowledged = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 30; i++) {
        int writer = i;
        acknowledged.add(executor.submit(() -> writeUntilClosed(store, writer, some)));
      }
      assertTrue(some.await(60, TimeUnit.SECONDS));
      store.close();
    }
    try (Upcall again = Upcall.open(volume, tested.config())) {
      for (int writer = 0; writer < 30; writer++) {
        for (int i = 0; i < acknowledged.get(writer).get(); i++) {
          int size = 1 + i * 997 % 90_000;
          assertArrayEquals(bytes(i, size), again.readAllBytes("/w" + writer + "-" + i));
        }
      }
    }
  }

  private static int writeUntilClosed(Upcall store, int writer, CountDownLatch some) {
    for (int i = 0; ; i++) {
      try {
        store.write("/w" + writer + "-" + i, bytes(i, 1 + i * 997 % 90_000));
        some.countDown();
      } catch (UpcallException closed) {
        assertInstanceOf(Failure.Closed.class, closed.failure(), closed.getMessage());
        return i;
      }
    }
  }
}
