package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A program without the module of an engine; this module's tests have none but their own. */
class OtherEnginesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FSM")
  void engine_whoseArtifactIsMissing_isRefusedBeforeAFileIsMade(Engine engine) {
    Path volume = folder.resolve("v.upcall");
    UpcallConfig config = UpcallBehaviour.small(TestedStore.CHANNEL.config().drive().disk());
    UpcallConfig other = config.withEngine(engine);
    refused(engine, () -> Upcall.create(volume, other));
    refused(engine, () -> Upcall.openOrCreate(volume, other));
    assertFalse(Files.exists(volume));
    Upcall.create(volume, config).close();
    refused(engine, () -> Upcall.open(volume, other));
    Upcall.open(volume, config).close();
  }

  private static void refused(Engine engine, Runnable opening) {
    UpcallException refused = assertThrows(UpcallException.class, opening::run);
    assertInstanceOf(Failure.Invalid.class, refused.failure());
    assertEquals(
        "the engine "
            + engine
            + " is in an artifact of its own: add dev.upcall:threads (module dev.upcall.threads) to"
            + " the program",
        refused.getMessage());
  }
}
