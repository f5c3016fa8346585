package dev.upcall.nio.channel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.OpenMode;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.nio.collected.FilesById;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreInfo;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Writes that have returned before they are committed: everybody sees them, and none is lost. */
class CollectedWritesTest {
  private static final UpcallConfig SMALL = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20);

  @TempDir Path folder;

  private Upcall store(Engine engine) {
    return Upcall.create(folder.resolve("s.upcall"), SMALL.withEngine(engine));
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(
        path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static FileChannel append(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  // ------------------------------------------------------------------ a model

  /** A file by all that leads to it, against an array. */
  private static final class Model {
    byte[] bytes = new byte[0];

    void write(long offset, byte[] written) {
      int end = (int) offset + written.length;
      if (end > bytes.length) {
        bytes = Arrays.copyOf(bytes, end);
      }
      System.arraycopy(written, 0, bytes, (int) offset, written.length);
    }
  }

  @ParameterizedTest
  @EachEngine({"1", "2", "3", "4"})
  void everyDoorSeesWhatHasReturned(Engine engine, long seed) throws IOException {
    Random random = new Random(seed);
    Model model = new Model();
    try (Upcall store = store(engine)) {
      Path path = store.fileSystem().getPath("/f");
      List<FileChannel> channels = new ArrayList<>();
      channels.add(open(path));
      channels.add(open(path));
      channels.add(append(path));
      channels.add(
          FileChannel.open(
              store.fileSystem(Durability.SYNC).getPath("/f"), StandardOpenOption.WRITE));
      for (int step = 0; step < 700; step++) {
        change(model, channels, random);
        if (random.nextInt(4) == 0) {
          String where = "seed " + seed + ", step " + step;
          look(where, store, channels.get(random.nextInt(2)), model, random);
        }
      }
      for (FileChannel channel : channels) {
        channel.close();
      }
      assertArrayEquals(model.bytes, store.readAllBytes("/f"), "seed " + seed);
    }
    try (Upcall again = Upcall.open(folder.resolve("s.upcall"), SMALL.withEngine(engine))) {
      assertArrayEquals(model.bytes, again.readAllBytes("/f"), "seed " + seed + ", opened again");
    }
  }

  private static void change(Model model, List<FileChannel> channels, Random random)
      throws IOException {
    byte[] written = new byte[1 + random.nextInt(random.nextInt(20) == 0 ? 300_000 : 3000)];
    random.nextBytes(written);
    int size = model.bytes.length;
    switch (random.nextInt(12)) {
      case 0 -> {
        int cut = size - random.nextInt(size / 8 + 1);
        channels.getFirst().truncate(cut);
        model.bytes = Arrays.copyOf(model.bytes, cut);
      }
      case 1 -> channels.get(random.nextInt(channels.size())).force(true);
      case 2, 3 -> {
        int offset = random.nextInt(size + 5000); // a hole now and then
        channels.get(random.nextInt(2)).write(ByteBuffer.wrap(written), offset);
        model.write(offset, written);
      }
      case 4 -> {
        channels.get(3).write(ByteBuffer.wrap(written), size);
        model.write(size, written);
      }
      case 5, 6 -> {
        int offset = random.nextInt(size + 1);
        channels.get(1).position(offset).write(ByteBuffer.allocateDirect(7));
        model.write(offset, new byte[7]);
      }
      default -> {
        channels.get(2).write(ByteBuffer.wrap(written));
        model.write(size, written);
      }
    }
  }

  private static void look(
      String where, Upcall store, FileChannel channel, Model model, Random random)
      throws IOException {
    Path path = store.fileSystem().getPath("/f");
    int size = model.bytes.length;
    switch (random.nextInt(8)) {
      case 0 -> assertEquals(size, channel.size(), where);
      case 1 -> assertEquals(size, Files.size(path), where);
      case 2 -> assertArrayEquals(model.bytes, Files.readAllBytes(path), where);
      case 3 -> assertArrayEquals(model.bytes, store.readAllBytes("/f"), where);
      case 4 -> assertEquals(size, store.stat("/f").sizeBytes(), where);
      case 5 -> {
        Path copy = path.resolveSibling("copy");
        Files.copy(path, copy, StandardCopyOption.REPLACE_EXISTING);
        assertArrayEquals(model.bytes, Files.readAllBytes(copy), where);
      }
      case 6 -> {
        try (Upcall.RandomAccess handle = store.open("/f", OpenMode.EXISTING)) {
          assertEquals(size, handle.sizeBytes(), where);
        }
      }
      default -> {
        int offset = random.nextInt(size + 1);
        ByteBuffer into = ByteBuffer.allocate(random.nextInt(20_000) + 1);
        int count = channel.read(into, offset);
        int expected = Math.min(size - offset, into.capacity());
        assertEquals(expected == 0 ? -1 : expected, count, where);
        assertArrayEquals(
            Arrays.copyOfRange(model.bytes, offset, offset + expected),
            Arrays.copyOf(into.array(), expected),
            where);
      }
    }
  }

  // ------------------------------------------------------------------ what collecting is

  @ParameterizedTest
  @EachEngine
  void manyWritesAreFewCommits(Engine engine) throws IOException {
    try (Upcall store = store(engine);
        FileChannel channel = append(store.fileSystem().getPath("/log"))) {
      channel.write(ByteBuffer.allocate(1)); // from now on it is known that there is room
      long before = store.info().scn();
      for (int i = 0; i < 2000; i++) {
        channel.write(ByteBuffer.allocate(100));
      }
      assertEquals(200_001, channel.size());
      channel.force(false);
      long commits = store.info().scn() - before;
      assertTrue(commits < 1000, commits + " commits");
      assertEquals(200_001, store.stat("/log").sizeBytes());
    }
  }

  @ParameterizedTest
  @EachEngine
  void whatIsForcedIsDurableWhoeverChangedIt(Engine engine) throws IOException {
    try (Upcall store = store(engine);
        FileChannel one = append(store.fileSystem().getPath("/a"));
        FileChannel other = append(store.fileSystem().getPath("/b"))) {
      Random random = new Random(7);
      for (int i = 0; i < 200; i++) {
        switch (random.nextInt(4)) {
          case 0 -> one.write(ByteBuffer.allocate(10));
          case 1 -> other.write(ByteBuffer.allocate(10));
          case 2 ->
              store.batch(
                  List.of(new FileRequest.CreateDirectory(StorePath.of("/d" + i))),
                  Durability.ASYNC);
          default -> assertTrue(Files.exists(store.fileSystem().getPath("/a")));
        }
        if (random.nextInt(3) == 0) {
          long sizeBytes = other.size();
          one.force(false);
          StoreInfo now = store.info();
          assertTrue(now.durableScn() >= now.scn(), "step " + i + ": " + now);
          assertEquals(sizeBytes, store.stat("/b").sizeBytes());
        }
      }
    }
  }

  @Test
  void writersOfOneFileByAllThreadsLoseNothing() throws Exception {
    try (Upcall store = store(Engine.FSM);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Path path = store.fileSystem().getPath("/log");
      List<Callable<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < 8; writer++) {
        byte[] line = new byte[50];
        Arrays.fill(line, (byte) ('a' + writer));
        writers.add(
            () -> {
              try (FileChannel channel = append(path)) {
                for (int i = 0; i < 400; i++) {
                  channel.write(ByteBuffer.wrap(line));
                  if (i % 100 == 7) {
                    channel.force(false);
                  }
                  assertTrue(Files.size(path) >= 50L * (i + 1));
                }
              }
              return null;
            });
      }
      for (Future<Void> ended : threads.invokeAll(writers)) {
        ended.get();
      }
      byte[] all = store.readAllBytes("/log");
      assertEquals(8 * 400 * 50, all.length);
      int[] lines = new int[8];
      for (int at = 0; at < all.length; at += 50) {
        byte[] line = Arrays.copyOfRange(all, at, at + 50);
        byte[] whole = new byte[50];
        Arrays.fill(whole, line[0]);
        assertArrayEquals(whole, line, "a line in pieces at " + at);
        lines[line[0] - 'a']++;
      }
      assertArrayEquals(new int[] {400, 400, 400, 400, 400, 400, 400, 400}, lines);
    }
  }

  /** More writers than memory for what they write: some of it is committed at once. */
  @ParameterizedTest
  @EachEngine
  void write_moreWritersThanMemory_everyFileIsWhole(Engine engine) throws Exception {
    try (Upcall store = store(engine);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < 32; writer++) {
        byte[] bytes = new byte[200_000];
        Arrays.fill(bytes, (byte) writer);
        Path path = store.fileSystem().getPath("/f" + writer);
        writers.add(
            () -> {
              for (int i = 0; i < 6; i++) {
                Files.write(path, bytes);
                assertArrayEquals(bytes, Files.readAllBytes(path));
              }
              return null;
            });
      }
      for (Future<Void> ended : threads.invokeAll(writers)) {
        ended.get();
      }
      assertEquals(32, store.list("/", 100).entries().size());
    }
  }

  @ParameterizedTest
  @EachEngine
  void write_behindLargestFile_failsAlone(Engine engine) throws Exception {
    try (Upcall store = store(engine);
        FileChannel other = append(store.fileSystem().getPath("/other"))) {
      other.write(ByteBuffer.wrap(new byte[] {1}));
      int file = 0;
      for (long offset :
          new long[] {
            Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE / 2, Long.MAX_VALUE / 2 - 1
          }) {
        for (int count : new int[] {2, 70_000, 300_000}) {
          Path path = store.fileSystem().getPath("/f" + file++);
          String where = count + " bytes at " + offset;
          try (FileChannel channel = open(path)) {
            ByteBuffer from = ByteBuffer.allocate(count);
            assertThrows(IOException.class, () -> channel.write(from, offset), where);
            if (offset > FilesById.MAX_BYTES) {
              assertThrows(IOException.class, () -> channel.position(offset), where);
              assertEquals(0, channel.position(), where);
            } else {
              channel.position(offset);
              assertThrows(IOException.class, () -> channel.write(from), where);
            }
            assertEquals(0, channel.size(), where);
            assertEquals(-1, channel.read(ByteBuffer.allocate(9), offset), where);
          }
          try (AsynchronousFileChannel channel =
              AsynchronousFileChannel.open(path, StandardOpenOption.WRITE)) {
            Future<Integer> write = channel.write(ByteBuffer.allocate(count), offset);
            ExecutionException refused = assertThrows(ExecutionException.class, write::get, where);
            assertInstanceOf(IOException.class, refused.getCause(), where);
          }
          assertEquals(1, other.size(), where);
        }
      }
      other.force(false);
      assertArrayEquals(new byte[] {1}, store.readAllBytes("/other"));
    }
  }

  @Test
  void aTimeThatIsSetIsNotPassedByAnEarlierWrite() throws IOException {
    try (Upcall store = store(Engine.FSM);
        FileChannel channel = append(store.fileSystem().getPath("/f"))) {
      Path path = store.fileSystem().getPath("/f");
      for (int i = 0; i < 50; i++) {
        channel.write(ByteBuffer.allocate(10));
        channel.write(ByteBuffer.allocate(10));
        Files.setLastModifiedTime(path, FileTime.fromMillis(i));
        channel.force(true);
        assertEquals(FileTime.fromMillis(i), Files.getLastModifiedTime(path));
      }
    }
  }

  @Test
  void aTimeThatIsSetIsPassedByALaterWrite() throws IOException {
    try (Upcall store = store(Engine.FSM);
        FileChannel channel = append(store.fileSystem().getPath("/f"))) {
      Path path = store.fileSystem().getPath("/f");
      for (int i = 0; i < 50; i++) {
        Files.setLastModifiedTime(path, FileTime.fromMillis(i));
        channel.write(ByteBuffer.allocate(10));
        channel.force(true);
        assertTrue(Files.getLastModifiedTime(path).toMillis() > 1000);
      }
    }
  }

  @Test
  void whatIsAppendedThroughAnotherDoorIsNotOverwritten() throws IOException {
    try (Upcall store = store(Engine.FSM);
        FileChannel channel = append(store.fileSystem().getPath("/log"));
        Upcall.RandomAccess door = store.open("/log", OpenMode.EXISTING)) {
      for (int i = 0; i < 200; i++) {
        channel.write(ByteBuffer.wrap(new byte[] {'c', 'c', 'c'}));
        door.append(ByteBuffer.wrap(new byte[] {'d', 'd'}));
        door.flush();
      }
      channel.force(false);
      byte[] all = store.readAllBytes("/log");
      assertEquals(1000, all.length);
      int ours = 0;
      for (byte each : all) {
        ours += each == 'c' ? 1 : 0;
      }
      assertEquals(600, ours);
    }
  }

  @Test
  void whatWasWrittenIsLetGo() throws IOException {
    try (Upcall store = store(Engine.FSM);
        FileChannel channel = open(store.fileSystem().getPath("/f"))) {
      List<WeakReference<byte[]>> written = new ArrayList<>();
      for (long i = 0; i < 100; i++) { // so many places that they have a tree of their own
        byte[] bytes = new byte[300 << 10];
        Arrays.fill(bytes, (byte) 1);
        channel.write(ByteBuffer.wrap(bytes), i << 20);
        written.add(new WeakReference<>(bytes));
      }
      channel.force(false); // what waits for its commit is held, however long that takes
      long held = written.size();
      for (int i = 0; i < 50 && held > 5; i++) {
        System.gc();
        held = written.stream().filter(each -> each.get() != null).count();
      }
      assertTrue(held <= 5, held + " buffers are still held");
    }
  }

  @Test
  void aFileThatNobodyCanSeeAnyMoreIsWrittenOn() throws IOException {
    try (Upcall store = store(Engine.FSM)) {
      Path path = store.fileSystem().getPath("/f");
      try (FileChannel channel = open(path)) {
        channel.write(ByteBuffer.allocate(10));
        channel.write(ByteBuffer.allocate(10));
        Files.delete(path);
        channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 5);
        ByteBuffer read = ByteBuffer.allocate(3);
        assertEquals(3, channel.read(read, 5));
        assertArrayEquals(new byte[] {1, 2, 3}, read.array());
      }
      assertTrue(store.list("/", 10).entries().stream().noneMatch(e -> e.isFile()));
    }
  }

  // ------------------------------------------------------------------ failures

  @Test
  @SuppressWarnings("resource") // they are closed, which is what this is about
  void aStoreThatHasDiedIsClosedAllTheSame() throws IOException {
    Path volume = folder.resolve("died.upcall");
    Upcall store = Upcall.create(volume, SMALL);
    FileChannel channel = append(store.fileSystem().getPath("/f"));
    store.flush(); // the file is durable before the store dies; the writes behind it may be
    channel.write(ByteBuffer.allocate(1));
    channel.write(ByteBuffer.allocate(1));
    store
        .fsm()
        .execute(
            () -> {
              throw new IllegalArgumentException("the test's");
            });
    assertThrows(RuntimeException.class, store::close);
    assertFalse(channel.isOpen());
    try (Upcall again = Upcall.open(volume, SMALL)) {
      assertTrue(again.stat("/f").sizeBytes() <= 2);
    }
  }

  @Test
  void aFullVolumeLosesNoWriteThatHasReturned() throws IOException {
    UpcallConfig config = SMALL.withCapBytes(64L << 20);
    Path volume = folder.resolve("full.upcall");
    long written = 0;
    try (Upcall store = Upcall.create(volume, config)) {
      byte[] piece = new byte[50_000];
      FileChannel channel = append(store.fileSystem().getPath("/f"));
      try (channel) {
        for (; written < 64L << 20; written += piece.length) {
          Arrays.fill(piece, (byte) (written / piece.length));
          channel.write(ByteBuffer.wrap(piece));
        }
      } catch (FileSystemException full) {
        assertInstanceOf(UpcallException.VolumeFull.class, full.getCause());
      }
      assertTrue(written > 32L << 20, written + " bytes went in");
      assertEquals(written, store.stat("/f").sizeBytes());
    }
    try (Upcall store = Upcall.open(volume, config)) {
      byte[] all = store.readAllBytes("/f");
      assertEquals(written, all.length);
      for (int at = 0; at < all.length; at++) {
        if (all[at] != (byte) (at / 50_000)) {
          assertEquals((byte) (at / 50_000), all[at], "byte " + at);
        }
      }
    }
  }
}
