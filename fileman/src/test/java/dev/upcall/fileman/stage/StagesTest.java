package dev.upcall.fileman.stage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.config.DiskKind;
import dev.upcall.fileman.blocking.UpcallBehaviour;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The stage stamps of real requests: each is there, in order, and they add up. */
class StagesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir Path folder;

  private static void readAll(AsyncFiles files) throws InterruptedException {
    for (int i = 0; i < StampedFiles.FILES; i++) {
      files.read(StampedFiles.path(i), 0, StampedFiles.BYTES, StagesTest::isWhole);
    }
    while (files.outstanding() > 0) {
      files.await(StampedFiles.FILES, PATIENCE);
    }
  }

  private static void isWhole(Completion<byte[]> completion) {
    assertEquals(StampedFiles.BYTES, UpcallException.value(completion).length);
  }

  @ParameterizedTest
  @EnumSource(
      value = DiskKind.class,
      names = {"AUTO", "CHANNEL"})
  void ofAnApplicationOnItsOwnThread(DiskKind disk) throws InterruptedException {
    UpcallConfig config = UpcallBehaviour.small(disk);
    Path volume = StampedFiles.make(folder, config);
    try (Upcall store = Upcall.open(volume, config);
        AsyncFiles files = store.fsm().newAsyncFiles()) {
      files.stages().stampEvery(1);
      readAll(files);
      StampedFiles.check(files.stages().times(), StampedFiles.FILES);
      assertTrue(files.stages().times().untilPosted().sum() > 0);

      files.stages().stampEvery(1);
      readAll(files);
      StampedFiles.check(files.stages().times(), 0);

      files.read(StorePath.of("/none"), 0, 1, completion -> {});
      files.await(1, PATIENCE);
      assertEquals(1, files.stages().times().skipped());

      files.stages().stampEvery(0);
      readAll(files);
      assertEquals(0, files.stages().times().requests());
    }
  }
}
