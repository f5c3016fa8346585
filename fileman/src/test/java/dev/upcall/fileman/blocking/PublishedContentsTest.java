package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FsmUpcall;
import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contents that callers copy themselves are those that the store would give. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PublishedContentsTest {
  /** In the inode, one block, several blocks, a frame, the most that is copied. */
  private static final int[] SIZES = {0, 1, 100, 4096, 4097, 14_500, 65_535, 65_536};

  private static final int READERS = 4;
  private static final int FILES = 24;
  private static final int CHANGES = 4000;
  private static final int OVER = Integer.MAX_VALUE;

  @TempDir Path folder;

  private FsmUpcall create() {
    return Upcall.create(folder.resolve("volume.upcall"), UpcallBehaviour.small(DiskKind.CHANNEL))
        .fsm();
  }

  private static byte[] bytes(int seed, int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  /** While the store's thread does nothing else. */
  private static void withoutTheStore(FsmUpcall store, Runnable work) {
    try (BusyStore _ = BusyStore.of(store)) {
      work.run();
    }
  }

  private static void compare(Upcall store) {
    for (int size : SIZES) {
      assertArrayEquals(bytes(size, size), store.readAllBytes("/f" + size), size + " bytes");
    }
  }

  private static FsmUpcall filled(FsmUpcall store) {
    for (int size : SIZES) {
      store.write("/f" + size, bytes(size, size));
    }
    store.createDirectory("/d");
    store.symbolicLink("/link", "f4097");
    return store;
  }

  @Test
  void whatWasJustWrittenIsCopiedWithoutTheStore() {
    try (FsmUpcall store = filled(create())) {
      compare(store);
      withoutTheStore(store, () -> compare(store));
    }
  }

  @Test
  void whatHasItsPlaceIsCopiedWithoutTheStore() {
    try (FsmUpcall store = filled(create())) {
      store.checkpoint();
      compare(store);
      compare(store);
      withoutTheStore(store, () -> compare(store));
    }
  }

  @Test
  void whatWasReadFromTheVolumeIsCopiedWithoutTheStore() {
    filled(create()).close();
    try (FsmUpcall store =
        Upcall.open(folder.resolve("volume.upcall"), UpcallBehaviour.small(DiskKind.CHANNEL))
            .fsm()) {
      compare(store);
      compare(store);
      withoutTheStore(store, () -> compare(store));
    }
  }

  @Test
  void aFileOfPiecesAndHolesIsCopied() {
    try (FsmUpcall store = create()) {
      byte[] expected = new byte[50_000];
      store.write("/f", new byte[0]);
      try (Upcall.RandomAccess out = store.open("/f", OpenMode.EXISTING)) {
        write(out, expected, 30_000, bytes(1, 20_000));
        write(out, expected, 3, bytes(2, 200));
      }
      store.checkpoint();
      try (Upcall.RandomAccess out = store.open("/f", OpenMode.EXISTING)) {
        write(out, expected, 40_000, bytes(3, 5_000));
      }
      assertArrayEquals(expected, store.readAllBytes("/f"));
      assertArrayEquals(expected, store.readAllBytes("/f"));
      withoutTheStore(store, () -> assertArrayEquals(expected, store.readAllBytes("/f")));
    }
  }

  private static void write(Upcall.RandomAccess out, byte[] expected, int at, byte[] piece) {
    out.write(at, ByteBuffer.wrap(piece));
    System.arraycopy(piece, 0, expected, at, piece.length);
  }

  @Test
  void failuresAreThoseOfTheStore() {
    try (FsmUpcall store = filled(create())) {
      Consumer<Upcall> reads =
          reader -> {
            assertEquals(new Failure.IsADirectory("/d"), failure(() -> reader.readAllBytes("/d")));
            assertEquals(
                new Failure.NotFound("/none"), failure(() -> reader.readAllBytes("/none")));
            assertArrayEquals(bytes(4097, 4097), reader.readAllBytes("/link"));
          };
      reads.accept(store);
      withoutTheStore(store, () -> reads.accept(store));
    }
  }

  private static Failure failure(Runnable read) {
    return assertThrows(UpcallException.class, read::run).failure();
  }

  /**
   * Files are written anew, removed and made again, in memory that is too small for all: who reads
   * finds one version whole, and none before the last one of which anybody was told.
   */
  @Test
  void versionsAreWholeAndNeverOlderThanWhatWasTold() throws Exception {
    try (FsmUpcall store = create();
        ExecutorService readers = Executors.newCachedThreadPool()) {
      AtomicIntegerArray told = new AtomicIntegerArray(FILES);
      List<Future<Integer>> reads = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        store.write("/v" + i, version(0, i));
      }
      for (int i = 0; i < READERS; i++) {
        int seed = i;
        reads.add(readers.submit(readUntilTheEnd(store, told, seed)));
      }
      SplittableRandom random = new SplittableRandom(5);
      for (int change = 1; change <= CHANGES; change++) {
        int file = random.nextInt(FILES);
        store.write("/v" + file, version(change, random.nextInt(60)));
        told.set(file, change);
        if (change % 500 == 0) {
          store.checkpoint();
        }
      }
      for (int i = 0; i < FILES; i++) {
        told.set(i, OVER);
      }
      for (Future<Integer> read : reads) {
        assertTrue(read.get() > 0);
      }
    }
  }

  /** A version says its number in each kilobyte. */
  private static byte[] version(int number, int kilobytes) {
    byte[] bytes = new byte[1024 * (1 + kilobytes)];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    for (int at = 0; at < bytes.length; at += Integer.BYTES) {
      buffer.putInt(at, number);
    }
    return bytes;
  }

  private static Callable<Integer> readUntilTheEnd(
      Upcall store, AtomicIntegerArray told, int seed) {
    return () -> {
      SplittableRandom random = new SplittableRandom(seed);
      int reads = 0;
      while (true) {
        int file = random.nextInt(FILES);
        int before = told.get(file);
        boolean isOver = before == OVER;
        byte[] bytes = store.readAllBytes("/v" + file);
        int number = ByteBuffer.wrap(bytes).getInt();
        assertTrue(isOver || number >= before, () -> "read " + number + ", told " + before);
        assertArrayEquals(version(number, bytes.length / 1024 - 1), bytes);
        reads++;
        if (isOver) {
          return reads;
        }
      }
    };
  }
}
