package dev.upcall.threads.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.config.DiskKind;
import dev.upcall.fileman.blocking.UpcallBehaviour;
import dev.upcall.fileman.stage.StampedFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stage stamps of calls that wait: each is there, in order, and they add up. */
class CallStagesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(
      value = Engine.class,
      names = {"THREADS", "VIRTUAL"})
  void ofThreadsThatWait(Engine engine) throws Exception {
    UpcallConfig config = UpcallBehaviour.small(DiskKind.AUTO).withEngine(engine);
    Path volume = StampedFiles.make(folder, config);
    try (Upcall store = Upcall.open(volume, config)) {
      ThreadUpcall threads = assertInstanceOf(ThreadUpcall.class, store);
      threads.stages().stampEvery(1);
      callAll(store);
      StampedFiles.check(threads.stages().times(), StampedFiles.FILES);
      assertEquals(0, threads.stages().times().untilStarted().sum());
      assertEquals(0, threads.stages().times().untilPosted().sum());

      threads.stages().stampEvery(1);
      callAll(store);
      StampedFiles.check(threads.stages().times(), 0);

      threads.stages().stampEvery(4);
      callAll(store);
      assertEquals(StampedFiles.FILES / 4, threads.stages().times().requests());

      threads.stages().stampEvery(0);
      callAll(store);
      assertEquals(0, threads.stages().times().requests());
    }
  }

  private static void callAll(Upcall store) throws Exception {
    List<Callable<byte[]>> calls = new ArrayList<>();
    for (int i = 0; i < StampedFiles.FILES; i++) {
      String path = StampedFiles.path(i).toString();
      calls.add(() -> store.readAllBytes(path));
    }
    try (ExecutorService callers = Executors.newFixedThreadPool(8)) {
      for (Future<byte[]> call : callers.invokeAll(calls)) {
        assertEquals(StampedFiles.BYTES, call.get().length);
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
