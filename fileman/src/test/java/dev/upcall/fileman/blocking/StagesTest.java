package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.Engine;
import dev.upcall.FileContent;
import dev.upcall.FileRequest;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.config.DiskKind;
import dev.upcall.fsm.meter.DistributionSnapshot;
import dev.upcall.fsm.meter.StageTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stage stamps of real requests: each is there, in order, and they add up. */
class StagesTest {
  private static final int FILES = 40;
  private static final int FILE_BYTES = 4096;
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir Path folder;

  private Path volume(UpcallConfig config) {
    Path volume = folder.resolve("volume.upcall");
    List<FileRequest> puts = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = new byte[FILE_BYTES];
      random.nextBytes(bytes);
      puts.add(new FileRequest.Put(path(i), new FileContent.Bytes(bytes), PutOptions.DEFAULT));
    }
    try (Upcall store = Upcall.create(volume, config)) {
      store.batch(puts);
    }
    return volume;
  }

  private static StorePath path(int file) {
    return StorePath.of("/f" + file);
  }

  private static void readAll(AsyncFiles files) throws InterruptedException {
    for (int i = 0; i < FILES; i++) {
      files.read(path(i), 0, FILE_BYTES, StagesTest::isWhole);
    }
    while (files.outstanding() > 0) {
      files.await(FILES, PATIENCE);
    }
  }

  private static void isWhole(Completion<byte[]> completion) {
    assertEquals(FILE_BYTES, UpcallException.value(completion).length);
  }

  private static void check(StageTimes times, int withIo) {
    assertEquals(FILES, times.requests());
    assertEquals(withIo, times.withIo());
    assertEquals(0, times.skipped());
    assertTrue(times.residualNanosMax() <= 1000, times::toString);
    long sum = times.stages().stream().mapToLong(DistributionSnapshot::sum).sum();
    assertEquals(times.total().sum(), sum, times::toString);
    assertTrue(times.untilRequested().sum() > 0, times::toString);
    assertTrue(times.untilHandled().sum() > 0, times::toString);
    if (withIo > 0) {
      assertTrue(times.untilFinished().sum() > 0, times::toString);
    } else {
      assertEquals(0, times.untilStarted().sum() + times.untilFinished().sum());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DiskKind.class,
      names = {"AUTO", "CHANNEL"})
  void ofAnApplicationOnItsOwnThread(DiskKind disk) throws InterruptedException {
    UpcallConfig config = UpcallBehaviour.small(disk);
    Path volume = volume(config);
    try (Upcall store = Upcall.open(volume, config);
        AsyncFiles files = store.fsm().newAsyncFiles()) {
      files.stages().stampEvery(1);
      readAll(files);
      check(files.stages().times(), FILES);
      assertTrue(files.stages().times().untilPosted().sum() > 0);

      files.stages().stampEvery(1);
      readAll(files);
      check(files.stages().times(), 0);

      files.read(StorePath.of("/none"), 0, 1, completion -> {});
      files.await(1, PATIENCE);
      assertEquals(1, files.stages().times().skipped());

      files.stages().stampEvery(0);
      readAll(files);
      assertEquals(0, files.stages().times().requests());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"THREADS", "VIRTUAL"})
  void ofThreadsThatWait(Engine engine) throws Exception {
    UpcallConfig config = UpcallBehaviour.small(DiskKind.AUTO).withEngine(engine);
    Path volume = volume(config);
    try (Upcall store = Upcall.open(volume, config)) {
      ThreadUpcall threads = assertInstanceOf(ThreadUpcall.class, store);
      threads.stages().stampEvery(1);
      callAll(store);
      check(threads.stages().times(), FILES);
      assertEquals(0, threads.stages().times().untilStarted().sum());
      assertEquals(0, threads.stages().times().untilPosted().sum());

      threads.stages().stampEvery(1);
      callAll(store);
      check(threads.stages().times(), 0);

      threads.stages().stampEvery(4);
      callAll(store);
      assertEquals(FILES / 4, threads.stages().times().requests());

      threads.stages().stampEvery(0);
      callAll(store);
      assertEquals(0, threads.stages().times().requests());
    }
  }

  private static void callAll(Upcall store) throws Exception {
    List<Callable<byte[]>> calls = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      String path = path(i).toString();
      calls.add(() -> store.readAllBytes(path));
    }
    try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
      for (Future<byte[]> call : callers.invokeAll(calls)) {
        assertEquals(FILE_BYTES, call.get().length);
      }
    }
  }

  @Test
  void aCallThatFailsIsSkipped() {
    UpcallConfig config = UpcallBehaviour.small(DiskKind.AUTO).withEngine(Engine.THREADS);
    try (Upcall store = Upcall.create(folder.resolve("v.upcall"), config)) {
      ThreadUpcall threads = assertInstanceOf(ThreadUpcall.class, store);
      threads.stages().stampEvery(1);
      assertThrows(UpcallException.class, () -> store.readAllBytes("/none"));
      assertEquals(1, threads.stages().times().skipped());
    }
  }
}
