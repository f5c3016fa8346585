package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.UpcallBehaviour.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.config.PlaceConfig;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Who calls and waits does so also for what is limited in number, in a line with an end. */
@Tag("races")
class WaitingCallersTest {
  /** At 16 MiB: one for each 256 KiB of what is off the heap. */
  private static final int PLACES = 48;

  private static final int MORE_THAN_A_BLOCK = 20_000;
  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir Path folder;

  private Upcall create(TestedStore tested, int maxWaiting, Duration wait) {
    return Upcall.create(
        folder.resolve("volume.upcall"),
        tested.config().withPlaces(new PlaceConfig(maxWaiting, wait.toNanos())));
  }

  private static Upcall.PutStream holdingAPlace(Upcall store, int number) {
    Upcall.PutStream stream = store.put("/held" + number, PutOptions.DEFAULT);
    stream.write(bytes(number, MORE_THAN_A_BLOCK), 0, MORE_THAN_A_BLOCK);
    return stream;
  }

  private static List<Upcall.PutStream> allPlaces(Upcall store) {
    List<Upcall.PutStream> held = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) {
      held.add(holdingAPlace(store, i));
    }
    return held;
  }

  private static Failure refused(Future<?> call) throws Exception {
    ExecutionException thrown =
        assertThrows(ExecutionException.class, () -> call.get(60, TimeUnit.SECONDS));
    return assertInstanceOf(UpcallException.class, thrown.getCause()).failure();
  }

  /** What one of many callers does. */
  private interface Task {
    void run(int number) throws Exception;
  }

  /** So many callers at once, each on a virtual thread; throws what one of them met. */
  private static void atOnce(int callers, Task task) throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        int number = i;
        all.add(
            executor.submit(
                () -> {
                  task.run(number);
                  return number;
                }));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    }
  }

  /** All streams are open, and have their bytes, before the first is committed. */
  @ParameterizedTest
  @EachEngine
  void aThousandSmallStreamsNeedNoPlace(TestedStore tested) throws Exception {
    int callers = 1000;
    CountDownLatch written = new CountDownLatch(callers);
    try (Upcall store =
        Upcall.create(folder.resolve("volume.upcall"), tested.config().withMemoryBytes(32 << 20))) {
      atOnce(
          callers,
          number -> {
            try (Upcall.PutStream stream = store.put("/f" + number, PutOptions.DEFAULT)) {
              stream.write(bytes(number, 100 + number), 0, 100 + number);
              written.countDown();
              written.await();
              stream.commit();
            }
          });
      for (int i = 0; i < callers; i++) {
        assertArrayEquals(bytes(i, 100 + i), store.readAllBytes("/f" + i));
      }
    }
  }

  @ParameterizedTest
  @EachEngine
  void manyLargeStreamsTakeTurns(TestedStore tested) throws Exception {
    int callers = 300;
    try (Upcall store = create(tested, callers, LONG)) {
      atOnce(
          callers,
          number -> {
            try (Upcall.PutStream stream = store.put("/f" + number, PutOptions.DEFAULT)) {
              byte[] half = bytes(number, 50_000);
              stream.write(half, 0, half.length);
              stream.write(half, 0, half.length);
              stream.commit();
            }
          });
      for (int i = 0; i < callers; i++) {
        assertEquals(100_000, store.stat("/f" + i).sizeBytes());
      }
    }
  }

  @ParameterizedTest
  @EachEngine
  void manyHandlesTakeTurns(TestedStore tested) throws Exception {
    int callers = 300;
    try (Upcall store = create(tested, callers, LONG)) {
      atOnce(
          callers,
          number -> {
            try (Upcall.RandomAccess handle = store.open("/f" + number, OpenMode.CREATE)) {
              handle.write(10, ByteBuffer.wrap(bytes(number, 3000)));
              handle.append(ByteBuffer.wrap(bytes(number, 3000)));
            }
          });
      for (int i = 0; i < callers; i++) {
        assertEquals(6010, store.stat("/f" + i).sizeBytes());
      }
    }
  }

  @ParameterizedTest
  @EachEngine
  void whoWaitsForTooLongIsTold(TestedStore tested) {
    try (Upcall store = create(tested, 10, Duration.ofMillis(20))) {
      List<Upcall.PutStream> held = allPlaces(store);
      UpcallException late =
          assertThrows(UpcallException.class, () -> holdingAPlace(store, PLACES));
      assertEquals(
          new Failure.Busy("new content on its way: waited 20 ms for one of 48 places"),
          late.failure());
      held.getFirst().commit();
      holdingAPlace(store, PLACES).commit();
      held.forEach(Upcall.PutStream::close);
      assertTrue(store.exists("/held48"));
      assertFalse(store.exists("/held47"));
    }
  }

  /** A thread that has all handles waits for itself, and not for ever. */
  @ParameterizedTest
  @EachEngine
  void oneThreadWithTooManyHandlesIsTold(TestedStore tested) {
    try (Upcall store = create(tested, 10, Duration.ofMillis(20))) {
      List<Upcall.RandomAccess> handles = new ArrayList<>();
      UpcallException late =
          assertThrows(
              UpcallException.class,
              () -> {
                while (handles.size() < 100) {
                  handles.add(store.open("/f" + handles.size(), OpenMode.CREATE));
                  handles.getLast().write(0, ByteBuffer.wrap(bytes(1, 3000)));
                }
              });
      int places = handles.size() - 1;
      assertEquals(
          new Failure.Busy(
              "handles with writes to commit: waited 20 ms for one of " + places + " places"),
          late.failure());
      handles.removeFirst().close();
      handles.getLast().write(0, ByteBuffer.wrap(bytes(1, 3000)));
      handles.forEach(Upcall.RandomAccess::close);
      assertEquals(3000, store.stat("/f" + places).sizeBytes());
    }
  }

  @ParameterizedTest
  @EachEngine
  void theLineHasAnEnd(TestedStore tested) throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        Upcall store = create(tested, 1, LONG)) {
      List<Upcall.PutStream> held = allPlaces(store);
      CompletionService<Upcall.PutStream> two = new ExecutorCompletionService<>(executor);
      for (int i = 0; i < 2; i++) {
        int number = PLACES + i;
        two.submit(() -> holdingAPlace(store, number));
      }
      Failure.Busy busy = assertInstanceOf(Failure.Busy.class, refused(two.take()));
      assertTrue(busy.what().contains("new content on its way: "), busy.what());
      held.forEach(Upcall.PutStream::close);
      two.take().get().commit();
    }
  }

  @ParameterizedTest
  @EachEngine
  void closingAnswersThoseWhoWait(TestedStore tested) throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Upcall store = create(tested, 100, LONG);
      List<Upcall.PutStream> held = allPlaces(store);
      List<Future<?>> waiting = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        int number = PLACES + i;
        waiting.add(executor.submit(() -> holdingAPlace(store, number)));
      }
      for (int i = 0; i < 20; i++) {
        Upcall.RandomAccess handle = store.open("/handle" + i, OpenMode.CREATE);
        waiting.add(executor.submit(() -> handle.write(0, ByteBuffer.wrap(bytes(1, 100)))));
      }
      store.close();
      int closed = 0;
      for (Future<?> one : waiting) {
        try {
          one.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
          assertInstanceOf(
              Failure.Closed.class,
              assertInstanceOf(UpcallException.class, failed.getCause()).failure());
          closed++;
        }
      }
      assertTrue(closed >= 20, "no place was given back: " + closed);
      held.forEach(Upcall.PutStream::close);
    }
  }
}
