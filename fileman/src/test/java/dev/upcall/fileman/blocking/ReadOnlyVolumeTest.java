package dev.upcall.fileman.blocking;

import static dev.upcall.fileman.blocking.UpcallBehaviour.bytes;
import static dev.upcall.fileman.blocking.UpcallBehaviour.failure;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.engine.EngineUpcall;
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

/** Volumes that are only read: by those who may not write them, and with what is left of them. */
class ReadOnlyVolumeTest {
  private static final int FILES = 8;
  private static final int FILE_BYTES = 3_000_000;

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
  @EachEngine
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
  @EachEngine
  void nothingIsMade(TestedStore tested) {
    failure(
        Failure.NotFound.class,
        () -> Upcall.openOrCreate(volume, tested.config().withReadOnly(true)));
    assertFalse(Files.exists(volume));
  }

  /** Whoever writes it has it alone. */
  @ParameterizedTest
  @EachEngine
  void notBesideAWriter(TestedStore tested) {
    try (Upcall store = Upcall.create(volume, tested.config())) {
      store.write("/f", bytes(1, 10));
      failure(
          Failure.Conflict.class, () -> Upcall.open(volume, tested.config().withReadOnly(true)));
    }
  }

  /**
   * Half of the files, what leads to them, and behind that the other half, which only the log
   * knows; killed.
   *
   * @param marked whether the log proves that all of them were acknowledged
   */
  private void makeKilled(UpcallConfig config, boolean marked) throws IOException {
    Path made = temporary.resolve("made");
    Files.deleteIfExists(made);
    Files.deleteIfExists(volume);
    try (Upcall store = Upcall.create(made, config)) {
      for (int i = 0; i < FILES; i++) {
        store.write("/" + i, bytes(i, FILE_BYTES));
        if (i == FILES / 2) {
          store.checkpoint();
        }
      }
      if (marked) {
        store.write("/last", bytes(9, 100));
        store.write("/last", bytes(10, 100));
      }
      Files.copy(made, volume);
    }
  }

  /**
   * How many files of those that were made can be read; all others say that the end is missing, or
   * are not there in what is said to be older.
   */
  private static int readable(Upcall store) {
    boolean newest = store.info().opening().age() == OpeningReport.Age.NEWEST;
    int whole = 0;
    for (int i = 0; i < FILES; i++) {
      String path = "/" + i;
      try {
        assertArrayEquals(bytes(i, FILE_BYTES), store.readAllBytes(path));
        whole++;
      } catch (UpcallException lost) {
        assertTrue(
            lost.failure() instanceof Failure.Corrupt
                || lost.failure() instanceof Failure.NotFound && !newest,
            lost::toString);
      }
    }
    return whole;
  }

  @ParameterizedTest
  @EachEngine
  void aFileThatIsTooShortShowsWhatIsLeft(TestedStore tested) throws IOException {
    for (boolean marked : new boolean[] {true, false}) {
      makeKilled(tested.config(), marked);
      int left = FILES;
      long size = Files.size(volume);
      for (long less = 1; left == FILES; less = Math.max(2 * less, 1_000_000)) {
        size -= less;
        try (FileChannel channel = FileChannel.open(volume, StandardOpenOption.WRITE)) {
          channel.truncate(size);
        }
        FileTime changed = Files.getLastModifiedTime(volume);
        try (Upcall store = Upcall.open(volume, tested.config().withReadOnly(true))) {
          left = readable(store);
          OpeningReport opening = store.info().opening();
          assertTrue(left == FILES || !opening.findings().isEmpty(), opening::toString);
        }
        assertEquals(size, Files.size(volume));
        assertEquals(changed, Files.getLastModifiedTime(volume));
      }
      assertTrue(left >= FILES / 2, left + " files are left in " + size + " bytes");
    }
  }

  @ParameterizedTest
  @EachEngine
  void aFileThatLacksItsLastBlockIsOnlyRead(TestedStore tested) throws IOException {
    try (Upcall store = Upcall.create(volume, tested.config())) {
      store.write("/0", bytes(0, FILE_BYTES));
    }
    long whole = Files.size(volume);
    for (long less : new long[] {1, 4096, 9000}) {
      try (FileChannel channel = FileChannel.open(volume, StandardOpenOption.WRITE)) {
        channel.truncate(whole - less);
      }
      UpcallException refused =
          assertThrows(UpcallException.class, () -> Upcall.open(volume, tested.config()));
      assertTrue(refused.getMessage().contains("read-only"), refused::getMessage);
      try (Upcall store = Upcall.open(volume, tested.config().withReadOnly(true))) {
        OpeningReport opening = store.info().opening();
        assertTrue(opening.findings().getFirst().contains("cut short"), opening::toString);
        assertArrayEquals(bytes(0, FILE_BYTES), store.readAllBytes("/0"));
        assertFalse(verify(store).isSound(), "nothing is missing");
      }
    }
  }

  @ParameterizedTest
  @EachEngine
  void aFileThatIsLongerShowsAll(TestedStore tested) throws IOException {
    try (Upcall store = Upcall.create(volume, tested.config())) {
      store.write("/0", bytes(0, FILE_BYTES));
    }
    for (int more : new int[] {100, 4096 - 100, 10}) {
      Files.write(volume, bytes(9, more), StandardOpenOption.APPEND);
      byte[] before = Files.readAllBytes(volume);
      if (before.length % 4096 != 0) {
        UpcallException refused =
            assertThrows(UpcallException.class, () -> Upcall.open(volume, tested.config()));
        assertTrue(refused.getMessage().contains("read-only"), refused::getMessage);
      }
      try (Upcall store = Upcall.open(volume, tested.config().withReadOnly(true))) {
        assertEquals(List.of(), store.info().opening().findings());
        assertArrayEquals(bytes(0, FILE_BYTES), store.readAllBytes("/0"));
        assertTrue(verify(store).isSound());
      }
      assertArrayEquals(before, Files.readAllBytes(volume));
    }
  }

  private static VerifyReport verify(Upcall store) {
    return UpcallException.value(
        ((EngineUpcall) store)
            .amongMachines(
                (files, port) ->
                    files.store().verify(new VerifyOptions(true), (_, _) -> true, port)));
  }
}
