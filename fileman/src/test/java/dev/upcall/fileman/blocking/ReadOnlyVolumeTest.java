package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.UpcallBehaviour.bytes;
import static dev.upcall.fileman.blocking.UpcallBehaviour.failure;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.upcall.completion.Failure;
import dev.upcall.fileman.OpenMode;
import dev.upcall.fileman.Upcall;
import dev.upcall.fileman.UpcallConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
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
}
