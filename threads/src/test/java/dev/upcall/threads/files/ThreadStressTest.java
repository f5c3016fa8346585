package dev.upcall.threads.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallSnapshot;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads on one volume, and both engines on it in turn. */
@Tag("races")
class ThreadStressTest {
  private static final int WRITERS = 12;
  private static final int READERS = 8;

  @TempDir Path folder;

  private static UpcallConfig config(Engine engine) {
    return UpcallConfig.DEFAULT
        .withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES)
        .withCapBytes(256L << 20)
        .withDisk(DiskKind.AUTO)
        .withEngine(engine);
  }

  private Path volume() {
    return folder.resolve("s.upcall");
  }

  @ParameterizedTest
  @EnumSource(names = {"THREADS", "VIRTUAL"})
  void whoReadsSeesWholeVersionsAndTheOtherEngineAgrees(Engine engine) throws Exception {
    long[] done;
    try (Upcall store = Upcall.create(volume(), config(engine));
        ExecutorService executor =
            engine == Engine.VIRTUAL
                ? Executors.newVirtualThreadPerTaskExecutor()
                : Executors.newCachedThreadPool()) {
      ThreadWork work = new ThreadWork(store, WRITERS);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        all.add(executor.submit(() -> work.write(writer, 120, 1)));
      }
      for (int i = 0; i < READERS; i++) {
        int reader = i;
        all.add(executor.submit(() -> work.read(300, reader)));
      }
      all.add(executor.submit(() -> checkpoints(store)));
      for (Future<?> one : all) {
        one.get(120, TimeUnit.SECONDS);
      }
      done = work.acknowledgedNow();
      ThreadWork.compare(store, done, done);
      assertTrue(((ThreadUpcall) store).lockWaits().size() == 6);
    }
    for (Engine other : List.of(Engine.FSM, engine, Engine.FSM)) {
      try (Upcall store = Upcall.open(volume(), config(other))) {
        ThreadWork.compare(store, done, done);
        if (other == Engine.FSM) {
          verify(store);
        }
      }
    }
  }

  private static void checkpoints(Upcall store) {
    for (int i = 0; i < 5; i++) {
      store.checkpoint();
    }
  }

  private static void verify(Upcall store) throws Exception {
    CompletableFuture<Completion<VerifyReport>> result = new CompletableFuture<>();
    store
        .fsm()
        .execute(
            () ->
                store
                    .fsm()
                    .fileManager()
                    .store()
                    .verify(new VerifyOptions(true), (_, _) -> true, result::complete));
    Completion<VerifyReport> report = result.get(60, TimeUnit.SECONDS);
    assertInstanceOf(Completion.Done.class, report);
    assertTrue(
        report instanceof Completion.Done<VerifyReport>(VerifyReport found) && found.isSound(),
        report::toString);
  }

  @Test
  void whatANamedSnapshotHoldsIsNotUsedAgain() throws Exception {
    byte[] before = content(1);
    byte[] large = new byte[3_000_000];
    new Random(3).nextBytes(large);
    try (Upcall store = Upcall.create(volume(), config(Engine.FSM))) {
      store.write("/small", before);
      store.write("/large", large);
      store.fsm().createSnapshot("then");
    }
    try (Upcall store = Upcall.open(volume(), config(Engine.THREADS))) {
      for (int i = 0; i < 40; i++) {
        store.write("/small", content(i + 2));
        store.write("/large", new byte[2_000_000 + i]);
        if (i % 8 == 0) {
          store.checkpoint();
        }
      }
      store.delete("/large");
    }
    try (Upcall store = Upcall.open(volume(), config(Engine.FSM))) {
      try (UpcallSnapshot then = store.fsm().snapshot("then")) {
        assertArrayEquals(before, then.readAllBytes("/small"));
        assertArrayEquals(large, then.readAllBytes("/large"));
      }
      verify(store);
      assertArrayEquals(content(41), store.readAllBytes("/small"));
    }
  }

  @Test
  void whatWasAcknowledgedSurvivesALossOfPower() throws Exception {
    try (Upcall store = Upcall.create(volume(), config(Engine.FSM))) {
      store.checkpoint();
    }
    PowerDevice device = PowerDevice.of(volume());
    Random random = new Random(4711);
    for (int round = 0; round < 20; round++) {
      device = oneLife(device, random, round);
    }
  }

  /** The test above can fail. */
  @Test
  void aDeviceThatOnlySaysItSyncsIsNoticed() throws Exception {
    try (Upcall store = Upcall.create(volume(), config(Engine.FSM))) {
      store.checkpoint();
    }
    Random random = new Random(4712);
    for (int round = 0; round < 20; round++) {
      PowerDevice device = PowerDevice.of(volume()).lying();
      try {
        oneLife(device, random, round);
      } catch (AssertionError | UpcallException noticed) {
        return;
      }
    }
    fail("not noticed in twenty rounds");
  }

  /**
   * Threads work; at a random moment the power goes; what is left must hold what they were told.
   */
  private PowerDevice oneLife(PowerDevice device, Random random, int round) throws Exception {
    ThreadUpcall store = ThreadUpcall.open(device, config(Engine.THREADS));
    ThreadWork work = new ThreadWork(store, WRITERS);
    store.forEach("/", entry -> store.delete("/" + entry.name()));
    PowerDevice left;
    long[] acknowledged;
    long[] begun;
    ExecutorService executor = Executors.newCachedThreadPool();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        all.add(executor.submit(() -> work.write(writer, 25, round)));
      }
      int moment = random.nextInt(WRITERS * 20);
      while (sum(work.acknowledgedNow()) < moment) {
        Thread.onSpinWait();
      }
      acknowledged = work.acknowledgedNow();
      left = device.afterPowerLoss(random);
      begun = work.begunNow();
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      executor.shutdownNow();
    }
    store.close();
    try (ThreadUpcall again = ThreadUpcall.open(left, config(Engine.THREADS))) {
      ThreadWork.compare(again, acknowledged, begun);
      VerifyReport report = again.verify();
      assertTrue(report.isSound(), report::toString);
    }
    return PowerDevice.copyOf(left);
  }

  private static long sum(long[] numbers) {
    long sum = 0;
    for (long one : numbers) {
      sum += one;
    }
    return sum;
  }

  /** Nobody waits for ever for room in the log that only the machines could make. */
  @Test
  @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whenTheMachinesDieTheStoreOnlyReads() throws Exception {
    try (Upcall store = Upcall.create(volume(), config(Engine.FSM))) {
      store.write("/first", content(1));
    }
    PowerDevice device = PowerDevice.of(volume());
    ThreadUpcall store = ThreadUpcall.open(device, config(Engine.THREADS));
    device.beforeEach(
        () -> {
          if (Thread.currentThread().getName().startsWith("upcall-keeper")) {
            throw new IllegalStateException("a fault of ours");
          }
        });
    // The one write that is inside at that moment may hear of it in other words.
    RuntimeException inside =
        assertThrows(
            RuntimeException.class,
            () -> {
              for (int i = 0; i < 1_000_000; i++) {
                store.write("/f" + i % 100, content(i));
              }
            });
    assertTrue(
        inside instanceof UpcallException || inside instanceof DispatcherStoppedException,
        inside.toString());
    UpcallException refused =
        assertThrows(UpcallException.class, () -> store.write("/after", content(2)));
    assertInstanceOf(Failure.ReadOnly.class, refused.failure());
    assertArrayEquals(content(1), store.readAllBytes("/first"));
    assertThrows(DispatcherStoppedException.class, store::close);
    try (ThreadUpcall again =
        ThreadUpcall.open(PowerDevice.copyOf(device), config(Engine.THREADS))) {
      assertArrayEquals(content(1), again.readAllBytes("/first"));
      assertTrue(again.verify().isSound());
    }
  }

  @Test
  void anInterruptEndsNoCallAndStays() throws Exception {
    try (Upcall store = Upcall.create(volume(), config(Engine.THREADS))) {
      Thread worker =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < 50; i++) {
                      Thread.currentThread().interrupt();
                      store.write("/f" + i, new byte[100_000]);
                      assertEquals(100_000, store.readAllBytes("/f" + i).length);
                      if (!Thread.interrupted()) {
                        return;
                      }
                    }
                    store.write("/end", new byte[1]);
                  });
      while (worker.isAlive()) {
        worker.interrupt();
        worker.join(1);
      }
      assertEquals(1, store.readAllBytes("/end").length);
    }
  }

  @Test
  void pagesAndContentThatDoNotFitMemoryAreReadAgain() throws IOException {
    int files = 3000;
    try (Upcall store = Upcall.create(volume(), config(Engine.THREADS))) {
      for (int i = 0; i < files; i++) {
        store.write("/d" + i % 10 + "/file-with-a-rather-long-name-" + i, content(i), WITH_PARENTS);
      }
      store.checkpoint();
    }
    try (Upcall store = Upcall.open(volume(), config(Engine.THREADS))) {
      for (int i = files - 1; i >= 0; i--) {
        assertArrayEquals(
            content(i), store.readAllBytes("/d" + i % 10 + "/file-with-a-rather-long-name-" + i));
      }
    }
  }

  private static final dev.upcall.PutOptions WITH_PARENTS = dev.upcall.PutOptions.WITH_PARENTS;

  private static byte[] content(int i) {
    byte[] bytes = new byte[4000 + i % 9000];
    new Random(i).nextBytes(bytes);
    return bytes;
  }
}
