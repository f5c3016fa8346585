package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** A store whose volume is taken away under it takes no more changes, and says why. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostVolumeUpcallTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EachEngine
  void aRemovedOneIsOnlyReadAndLetGo(TestedStore tested) throws IOException {
    Path volume = folder.resolve("volume.upcall");
    byte[] large = UpcallBehaviour.bytes(1, 3_000_000);
    Upcall store = Upcall.create(volume, tested.config());
    store.write("/large", large);
    Files.delete(volume);
    onlyReads(store, "its file was removed while the store had it open");
    assertArrayEquals(large, store.readAllBytes("/large"));
    assertThrows(UpcallException.class, store::close);
    try (Upcall next = Upcall.create(volume, tested.config())) {
      assertTrue(!next.exists("/large"));
    }
  }

  @ParameterizedTest
  @EachEngine
  void aCutOneIsNotWrittenTo(TestedStore tested) throws IOException {
    Path volume = folder.resolve("volume.upcall");
    Upcall store = Upcall.create(volume, tested.config());
    store.write("/large", UpcallBehaviour.bytes(1, 3_000_000));
    store.checkpoint();
    long cutTo = Files.size(volume) - 4096;
    try (FileChannel file = FileChannel.open(volume, StandardOpenOption.WRITE)) {
      file.truncate(cutTo);
    }
    onlyReads(store, "its file was cut to " + cutTo + " bytes while the store had it open");
    byte[] left = Files.readAllBytes(volume);
    assertThrows(UpcallException.class, store::close);
    assertEquals(cutTo, left.length);
    assertArrayEquals(left, Files.readAllBytes(volume), "written by the close");
    UpcallException refused =
        assertThrows(UpcallException.class, () -> Upcall.open(volume, tested.config()));
    assertTrue(!(refused.failure() instanceof Failure.Conflict), refused::getMessage);
  }

  private static void onlyReads(Upcall store, String sentence) {
    UpcallException refused =
        assertThrows(
            UpcallException.class,
            () -> {
              for (int i = 0; ; i++) {
                store.write("/n" + i % 50, UpcallBehaviour.bytes(i, 500));
              }
            });
    assertTrue(refused.getMessage().contains(sentence), refused::getMessage);
    UpcallException again =
        assertThrows(UpcallException.class, () -> store.write("/n", new byte[10]));
    assertInstanceOf(Failure.ReadOnly.class, again.failure());
    assertTrue(again.getMessage().contains(sentence), again::getMessage);
    assertTrue(
        store.info().readOnlyReason().contains(sentence), () -> store.info().readOnlyReason());
  }
}
