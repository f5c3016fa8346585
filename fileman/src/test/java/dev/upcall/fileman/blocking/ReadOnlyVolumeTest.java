package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.UpcallBehaviour.bytes;
import static dev.upcall.fileman.blocking.UpcallBehaviour.failure;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Failure;
import dev.upcall.fileman.OpenMode;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import dev.upcall.fileman.UpcallException;
import dev.upcall.store.OpeningReport;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Volumes that are only read: by those who may not write them, and with what is left of them. */
class ReadOnlyVolumeTest {
  @TempDir Path temporary;

  private Path folder;
  private Path volume;

  @BeforeEach
  void name() throws IOException {
    folder = Files.createDirectory(temporary.resolve("folder"));
    volume = folder.resolve("volume.upcall");
  }

  @AfterEach
  void letItGo() throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** The volume as of a moment of its work: nobody has closed it. */
  private void makeKilled(UpcallConfig config) throws IOException {
    Path made = temporary.resolve("made");
    try (Upcall store = Upcall.create(made, config)) {
      store.write("/large", bytes(1, 2_000_000));
      store.checkpoint();
      for (int i = 0; i < 50; i++) {
        store.write("/small " + i, bytes(i, 100 * i));
      }
      Files.copy(made, volume);
    }
  }

  private static void readsAll(Upcall store) {
    assertArrayEquals(bytes(1, 2_000_000), store.readAllBytes("/large"));
    for (int i = 0; i < 50; i++) {
      assertArrayEquals(bytes(i, 100 * i), store.readAllBytes("/small " + i));
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyNeedsToBeAbleToWriteIt(TestedStore tested) throws IOException {
    UpcallConfig reading = tested.config().withReadOnly(true);
    makeKilled(tested.config());
    Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("r--r--r--"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
    byte[] before = Files.readAllBytes(volume);
    FileTime changed = Files.getLastModifiedTime(volume);
    FileTime folderChanged = Files.getLastModifiedTime(folder);
    try (Upcall store = Upcall.openOrCreate(volume, reading);
        Upcall beside = Upcall.open(volume, reading)) {
      readsAll(store);
      readsAll(beside);
      failure(Failure.ReadOnly.class, () -> store.write("/new", bytes(3, 10)));
      failure(Failure.ReadOnly.class, () -> store.delete("/large"));
      failure(Failure.ReadOnly.class, () -> store.setProperty("state", new byte[] {1}));
      failure(Failure.ReadOnly.class, store::checkpoint);
      try (Upcall.RandomAccess range = store.open("/large", OpenMode.EXISTING)) {
        ByteBuffer into = ByteBuffer.allocate(100);
        assertEquals(100, range.read(1_000_000, into));
      }
      failure(Failure.Conflict.class, () -> Upcall.open(volume, tested.config()));
    }
    assertArrayEquals(before, Files.readAllBytes(volume));
    assertEquals(changed, Files.getLastModifiedTime(volume));
    assertEquals(folderChanged, Files.getLastModifiedTime(folder));
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsMade(TestedStore tested) {
    failure(
        Failure.NotFound.class,
        () -> Upcall.openOrCreate(volume, tested.config().withReadOnly(true)));
    assertFalse(Files.exists(volume));
  }

  /** Whoever writes it has it alone. */
  @ParameterizedTest
  @EnumSource
  void notBesideAWriter(TestedStore tested) {
    try (Upcall store = Upcall.create(volume, tested.config())) {
      store.write("/f", bytes(1, 10));
      failure(
          Failure.Conflict.class, () -> Upcall.open(volume, tested.config().withReadOnly(true)));
    }
  }

  /** Files, the last of them at the volume's end, and what leads to them in front of them. */
  private void makeClosed(UpcallConfig config, int files) {
    try (Upcall store = Upcall.create(volume, config)) {
      store.write("/room", bytes(1, 3_000_000));
      for (int i = 0; i < files; i++) {
        store.write("/" + i, bytes(i, 1_500_000));
      }
      store.delete("/room");
      for (int i = 0; i < 3; i++) {
        store.checkpoint();
        store.write("/last", bytes(i, 100));
      }
    }
  }

  /** How many files of those that were made can be read; all others say that the end is missing. */
  private static int readable(Upcall store, int files) {
    int whole = 0;
    for (int i = 0; i < files; i++) {
      String path = "/" + i;
      try {
        assertArrayEquals(bytes(i, 1_500_000), store.readAllBytes(path));
        whole++;
      } catch (UpcallException lost) {
        assertInstanceOf(Failure.Corrupt.class, lost.failure(), lost::toString);
      }
    }
    return whole;
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatIsTooShortShowsWhatIsLeft(TestedStore tested) throws IOException {
    makeClosed(tested.config(), 30);
    int left = 30;
    long size = Files.size(volume);
    for (long less = 1; left == 30; less = Math.max(2 * less, 1_000_000)) {
      size -= less;
      try (FileChannel channel = FileChannel.open(volume, StandardOpenOption.WRITE)) {
        channel.truncate(size);
      }
      UpcallException refused =
          assertThrows(UpcallException.class, () -> Upcall.open(volume, tested.config()));
      assertTrue(refused.getMessage().contains("--read-only"), refused::getMessage);
      FileTime changed = Files.getLastModifiedTime(volume);
      try (Upcall store = Upcall.open(volume, tested.config().withReadOnly(true))) {
        OpeningReport opening = store.info().opening();
        assertTrue(opening.findings().getFirst().contains("cut short"), opening::toString);
        left = readable(store, 30);
        assertFalse(verify(store).isSound(), "nothing is missing");
      }
      assertEquals(size, Files.size(volume));
      assertEquals(changed, Files.getLastModifiedTime(volume));
    }
    assertTrue(left > 0, "nothing is left of 30 files in " + size + " bytes");
  }

  @ParameterizedTest
  @EnumSource
  void aFileThatIsLongerShowsAll(TestedStore tested) throws IOException {
    makeClosed(tested.config(), 3);
    for (int more : new int[] {100, 4096 - 100, 10}) {
      Files.write(volume, bytes(9, more), StandardOpenOption.APPEND);
      byte[] before = Files.readAllBytes(volume);
      if (before.length % 4096 != 0) {
        UpcallException refused =
            assertThrows(UpcallException.class, () -> Upcall.open(volume, tested.config()));
        assertTrue(refused.getMessage().contains("--read-only"), refused::getMessage);
      }
      try (Upcall store = Upcall.open(volume, tested.config().withReadOnly(true))) {
        assertEquals(List.of(), store.info().opening().findings());
        assertEquals(3, readable(store, 3));
        assertTrue(verify(store).isSound());
      }
      assertArrayEquals(before, Files.readAllBytes(volume));
    }
  }

  private static VerifyReport verify(Upcall store) {
    return store instanceof ThreadUpcall threads
        ? threads.verify()
        : UpcallException.value(
            store
                .fsm()
                .await(
                    port ->
                        store
                            .fsm()
                            .fileManager()
                            .store()
                            .verify(new VerifyOptions(true), (_, _) -> true, port)));
  }
}
