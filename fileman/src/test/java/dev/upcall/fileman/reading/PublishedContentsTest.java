package dev.upcall.fileman.reading;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FsmUpcall;
import dev.upcall.OpenMode;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.content.ContentSlice;
import dev.upcall.fileman.blocking.BusyStore;
import dev.upcall.fileman.blocking.UpcallBehaviour;
import dev.upcall.fsm.DispatcherStoppedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
  /** In the inode, one block, several blocks, a frame, several frames, the most that is copied. */
  private static final int[] SIZES = {
    0, 1, 100, 4096, 4097, 14_500, 65_535, 65_536, 65_537, 300_000, 1 << 20
  };

  private static final int READERS = 4;
  private static final int FILES = 24;
  private static final int CHANGES = 2000;
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

  /** Pieces begin and end within blocks; some have a place, some have none yet. */
  @Test
  void aFileThatWasEditedIsCopied() {
    try (FsmUpcall store = create()) {
      byte[] expected = bytes(1, 200_000);
      store.write("/f", expected);
      for (int edit = 0; edit < 8; edit++) {
        if (edit == 5) {
          store.checkpoint();
        }
        int at = 20_011 * (edit + 1);
        byte[] some = bytes(edit, edit % 2 == 0 ? 700 : 0);
        store.splice("/f", at, 300, some);
        expected = spliced(expected, at, 300, some);
      }
      byte[] all = expected;
      for (int round = 0; round < 2; round++) { // read from the volume, and shared
        assertArrayEquals(all, store.readAllBytes("/f"));
      }
      Upcall.ReadStream stream = store.read("/f");
      withoutTheStore(
          store,
          () -> {
            assertArrayEquals(all, store.readAllBytes("/f"));
            ByteBuffer range = ByteBuffer.allocateDirect(90_000);
            assertEquals(90_000, stream.read(15_003, range));
            assertEquals(ByteBuffer.wrap(all, 15_003, 90_000), range.flip());
          });
      stream.close();
    }
  }

  /** Its map has a tree: of some of its pieces at once, and of some that came later. */
  @Test
  void aFileThatWasEditedInManyPlacesIsCopied() {
    try (FsmUpcall store = create()) {
      byte[] expected = bytes(1, 900_000);
      store.write("/f", expected);
      try (Upcall.RandomAccess file = store.open("/f", OpenMode.EXISTING)) {
        for (int edit = 0; edit < 100; edit++) {
          int at = 8_011 * (edit + 1);
          file.cut(at, 300);
          expected = spliced(expected, at, 300, new byte[0]);
        }
      }
      store.checkpoint();
      assertTrue(store.stat("/f").stored().pieces() >= 100);
      store.splice("/f", 5_000, 10, bytes(2, 700));
      byte[] all = spliced(expected, 5_000, 10, bytes(2, 700));
      for (int round = 0; round < 2; round++) { // read from the volume, and shared
        assertArrayEquals(all, store.readAllBytes("/f"));
      }
      Upcall.ReadStream stream = store.read("/f");
      withoutTheStore(
          store,
          () -> {
            assertArrayEquals(all, store.readAllBytes("/f"));
            ByteBuffer range = ByteBuffer.allocateDirect(500_000);
            assertEquals(500_000, stream.read(15_003, range));
            assertEquals(ByteBuffer.wrap(all, 15_003, 500_000), range.flip());
          });
      stream.close();
    }
  }

  private static byte[] spliced(byte[] before, int offset, int removed, byte[] bytes) {
    byte[] after = Arrays.copyOf(before, before.length - removed + bytes.length);
    System.arraycopy(bytes, 0, after, offset, bytes.length);
    int rest = before.length - offset - removed;
    System.arraycopy(before, offset + removed, after, offset + bytes.length, rest);
    return after;
  }

  /** More pieces than have room in the inode: they are in a tree of its own. */
  @Test
  void aFileOfManyPiecesIsCopied() {
    try (FsmUpcall store = create()) {
      byte[] expected = new byte[200 * 4096];
      store.write("/f", new byte[0]);
      try (Upcall.RandomAccess out = store.open("/f", OpenMode.EXISTING)) {
        for (int piece = 0; piece < 200; piece += 2) {
          write(out, expected, piece * 4096, bytes(piece, 4096 + piece));
        }
      }
      store.checkpoint();
      byte[] all = Arrays.copyOf(expected, 198 * 4096 + 4096 + 198);
      assertArrayEquals(all, store.readAllBytes("/f"));
      assertArrayEquals(all, store.readAllBytes("/f"));
      withoutTheStore(store, () -> assertArrayEquals(all, store.readAllBytes("/f")));
    }
  }

  @Test
  void aSmallFileIsStreamedWithoutTheStore() throws Exception {
    try (FsmUpcall store = filled(create())) {
      compare(store);
      withoutTheStore(
          store,
          () -> {
            for (int size : SIZES) {
              if (size <= 65_536) {
                streamed(store, size);
              }
            }
            assertEquals(new Failure.IsADirectory("/d"), failure(() -> store.readAllBytes("/d")));
            assertEquals(new Failure.NotFound("/none"), failure(() -> store.read("/none")));
          });
      Upcall.ReadStream old = store.read("/f4097");
      store.write("/f4097", new byte[] {1});
      assertArrayEquals(bytes(4097, 4097), old.readAllBytes());
      old.close();
      assertEquals(new Failure.Closed("f4097"), failure(() -> old.read(0, ByteBuffer.allocate(1))));
      assertEquals(new Failure.Closed("f4097"), failure(() -> old.slice(0, 1)));
    }
  }

  private static void streamed(Upcall store, int size) {
    byte[] expected = bytes(size, size);
    try (Upcall.ReadStream stream = store.read("/f" + size)) {
      assertEquals(size, stream.info().sizeBytes());
      assertEquals(Math.min(size, 10), stream.skip(10));
      assertArrayEquals(
          Arrays.copyOfRange(expected, Math.min(size, 10), size), stream.readAllBytes());
      assertEquals(-1, stream.read());
      ByteBuffer half = ByteBuffer.allocateDirect(size / 2 + 1);
      assertEquals(size == 0 ? -1 : size - size / 2, stream.read(size / 2, half), "size " + size);
      assertEquals(ByteBuffer.wrap(expected, size / 2, size - size / 2), half.flip());
      ContentSlice slice = stream.slice(size / 2, 7);
      assertEquals(Math.min(7, size - size / 2), slice.sizeBytes());
      assertEquals(
          ByteBuffer.wrap(expected, size / 2, slice.sizeBytes()), slice.buffers().getFirst());
      slice.release();
      assertEquals(
          new Failure.Invalid("offset -1 of a read is negative"),
          failure(() -> stream.read(-1, half.clear())));
    } catch (IOException unexpected) {
      throw new UncheckedIOException(unexpected);
    }
  }

  @Test
  void aLargeFileThatIsOpenIsReadWithoutTheStore() throws Exception {
    try (FsmUpcall store = filled(create())) {
      byte[] large = bytes(9, 1_500_000);
      store.write("/large", large);
      for (int round = 0; round < 2; round++) { // read from the volume, and shared
        assertArrayEquals(large, store.readAllBytes("/large"));
      }
      Upcall.ReadStream stream = store.read("/large");
      store.write("/large", new byte[] {1});
      withoutTheStore(
          store,
          () -> {
            ByteBuffer read = ByteBuffer.allocate(large.length);
            assertEquals(large.length, stream.read(0, read), "in one piece");
            assertArrayEquals(large, read.array());
            assertEquals(-1, stream.read(large.length, read.clear()));
            ByteBuffer range = ByteBuffer.allocateDirect(70_000);
            assertEquals(70_000, stream.read(100_001, range));
            assertEquals(ByteBuffer.wrap(large, 100_001, 70_000), range.flip());
          });
      assertEquals(
          new Failure.Invalid("offset -1 of a read is negative"),
          failure(() -> stream.read(-1, ByteBuffer.allocate(1))));
      stream.close();
      assertEquals(
          new Failure.Closed("large"), failure(() -> stream.read(0, ByteBuffer.allocate(1))));
    }
  }

  @Test
  void streamsEndWithTheStore() {
    FsmUpcall store = filled(create());
    compare(store);
    Upcall.ReadStream small = store.read("/f4096");
    Upcall.ReadStream large = store.read("/f300000");
    store.close();
    for (Upcall.ReadStream stream : List.of(small, large)) {
      assertInstanceOf(Failure.Closed.class, failure(() -> stream.read(0, ByteBuffer.allocate(1))));
    }
  }

  @Test
  void streamsEndWithAStoreThatDied() {
    FsmUpcall store = filled(create());
    compare(store);
    List<Upcall.ReadStream> streams = List.of(store.read("/f4096"), store.read("/f300000"));
    store.execute(
        () -> {
          throw new IllegalStateException("a fault of ours");
        });
    assertThrows(DispatcherStoppedException.class, () -> store.write("/g", new byte[1]));
    for (Upcall.ReadStream stream : streams) {
      assertThrows(DispatcherStoppedException.class, () -> stream.read(0, ByteBuffer.allocate(1)));
    }
    assertThrows(DispatcherStoppedException.class, store::close);
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
