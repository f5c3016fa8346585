package dev.upcall.nio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallSnapshot;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** File systems of stores: their life, threads, snapshots, and what the host does not have. */
class UpcallFileSystemTest {
  private static final UpcallConfig SMALL = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20);

  @TempDir Path folder;

  private FsmUpcall store(String name) {
    return Upcall.create(folder.resolve(name), SMALL).fsm();
  }

  private URI uri(String name) {
    return URI.create("upcall://" + folder.resolve(name).toUri().getRawPath());
  }

  // ------------------------------------------------------------------ life

  @Test
  void theJdkFindsAndOpensAVolume() throws IOException {
    try (FileSystem made =
        FileSystems.newFileSystem(
            uri("v.upcall"), Map.of("create", "true", "memoryBytes", 16L << 20))) {
      Files.writeString(made.getPath("/a"), "made");
      assertThrows(
          FileSystemAlreadyExistsException.class,
          () -> FileSystems.newFileSystem(uri("v.upcall"), Map.of()));
      assertSame(made, FileSystems.getFileSystem(uri("v.upcall")));
      assertEquals("made", Files.readString(Path.of(URI.create(uri("v.upcall") + "!/a"))));
    }
    assertThrows(
        FileSystemNotFoundException.class, () -> FileSystems.getFileSystem(uri("v.upcall")));
    try (FileSystem again =
        FileSystems.newFileSystem(
            folder.resolve("v.upcall"), Map.of("memoryBytes", 16L << 20, "durability", "sync"))) {
      assertEquals("made", Files.readString(again.getPath("a")));
      assertEquals("upcall", again.provider().getScheme());
    }
  }

  @Test
  void whatIsNoVolumeIsLeftToOthers() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "no volume");
    assertThrows(
        UnsupportedOperationException.class,
        () -> new UpcallFileSystemProvider().newFileSystem(text, Map.of()));
    assertThrows(NoSuchFileException.class, () -> FileSystems.newFileSystem(uri("none"), Map.of()));
    assertThrows(
        IllegalArgumentException.class,
        () -> FileSystems.newFileSystem(uri("none"), Map.of("creat", "true")));
    assertFalse(Files.exists(folder.resolve("none")));
  }

  /** A property that is misspelt does not open a volume in another way than was meant. */
  @Test
  void aPropertyThatIsNothingOfItsKindIsRefused() throws IOException {
    FileSystems.newFileSystem(uri("v.upcall"), Map.of("create", "TRUE", "memoryBytes", 16 << 20))
        .close();
    Map<String, Object> wrong =
        Map.of(
            "readOnly", "yes",
            "create", 1,
            "memoryBytes", "16M",
            "capBytes", "",
            "engine", "fast",
            "durability", "full",
            "config", "default");
    List<String> told = new ArrayList<>();
    wrong.forEach(
        (name, value) ->
            told.add(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> FileSystems.newFileSystem(uri("v.upcall"), Map.of(name, value)))
                    .getMessage()));
    assertEquals(
        List.of(
            "property capBytes is , and not a number of bytes",
            "property config is default, and not an UpcallConfig",
            "property create is 1, and not true or false",
            "property durability is full, and not sync or async",
            "property engine is fast, and not fsm or threads or virtual",
            "property memoryBytes is 16M, and not a number of bytes",
            "property readOnly is yes, and not true or false"),
        told.stream().sorted().toList());
  }

  @Test
  void oneFileSystemForAllWhoAskAStore() throws IOException {
    try (Upcall store = store("s")) {
      FileSystem system = store.fileSystem();
      assertSame(system, store.fileSystem());
      FileSystem durable = store.fileSystem(Durability.SYNC);
      Files.writeString(durable.getPath("/x"), "x");
      assertTrue(store.info().durableScn() >= store.info().scn());
      try (FileChannel open = FileChannel.open(system.getPath("/x"))) {
        Files.delete(durable.getPath("/x"));
        assertEquals(1, open.read(ByteBuffer.allocate(9)), "they share what is open");
      }
      system.close();
      assertThrows(ClosedFileSystemException.class, () -> Files.size(system.getPath("/")));
      assertNotEquals(system, store.fileSystem());
      assertTrue(store.exists("/"), "the store is open");
    }
  }

  @Test
  void closingEndsWhatIsOpen() throws IOException {
    Upcall store = store("s");
    FileSystem system = store.fileSystem();
    Path file = Files.writeString(system.getPath("/f"), "text");
    FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
    FileChannel deleted =
        FileChannel.open(
            system.getPath("/g"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    store.close();
    assertFalse(system.isOpen());
    assertFalse(channel.isOpen());
    assertFalse(deleted.isOpen());
    assertThrows(ClosedChannelException.class, () -> channel.write(ByteBuffer.allocate(1)));
    assertThrows(ClosedFileSystemException.class, () -> Files.size(file));
    assertThrows(ClosedFileSystemException.class, () -> Files.newByteChannel(file));
    assertThrows(ClosedFileSystemException.class, () -> Files.newDirectoryStream(file));
    try (Upcall again = Upcall.open(folder.resolve("s"), SMALL)) {
      assertEquals(1, again.list("/", 10).entries().size());
    }
  }

  @Test
  void twoStoresSideBySide() throws IOException {
    try (Upcall one = store("one");
        Upcall two = store("two")) {
      Path from = one.fileSystem().getPath("/dir");
      Path to = two.fileSystem().getPath("/dir");
      Files.createDirectory(from);
      byte[] content = new byte[700_000];
      content[500_000] = 7;
      Files.write(from.resolve("big"), content);
      assertThrows(
          AtomicMoveNotSupportedException.class,
          () -> Files.move(from, to, StandardCopyOption.ATOMIC_MOVE));
      Files.copy(from, to);
      Files.setAttribute(from.resolve("big"), "user:colour", "red".getBytes(UTF_8));
      Files.move(from.resolve("big"), to.resolve("big"));
      assertArrayEquals(content, Files.readAllBytes(to.resolve("big")));
      assertArrayEquals(
          "red".getBytes(UTF_8), (byte[]) Files.getAttribute(to.resolve("big"), "user:colour"));
      assertFalse(Files.exists(from.resolve("big")));
      assertFalse(from.equals(to));
      assertFalse(Files.isSameFile(from, to));
    }
  }

  // ------------------------------------------------------------------ what is open and deleted

  @Test
  void nothingIsLeftOfFilesThatWereOpenWhenDeleted() throws IOException {
    try (Upcall store = store("s")) {
      Path file = Files.writeString(store.fileSystem().getPath("/f"), "text");
      try (FileChannel one = FileChannel.open(file, StandardOpenOption.READ);
          FileChannel two = FileChannel.open(file, StandardOpenOption.WRITE)) {
        Files.delete(file);
        assertThrows(NoSuchFileException.class, () -> Files.size(file));
        two.write(ByteBuffer.wrap("TE".getBytes(UTF_8)));
        ByteBuffer seen = ByteBuffer.allocate(8);
        one.read(seen);
        assertEquals("TExt", new String(seen.array(), 0, 4, UTF_8));
        try (var entries = Files.list(store.fileSystem().getPath("/"))) {
          assertEquals(List.of(), entries.toList());
        }
        assertFalse(Files.exists(store.fileSystem().getPath("/.upcall-unlinked")));
        assertEquals(1, store.list("/.upcall-unlinked", 9).entries().size());
      }
      assertEquals(0, store.list("/.upcall-unlinked", 9).entries().size());
      store.write("/left", new byte[9]);
      store.rename("/left", "/.upcall-unlinked/" + Long.toHexString(store.stat("/left").id()));
    }
    try (Upcall again = Upcall.open(folder.resolve("s"), SMALL)) {
      again.fileSystem();
      assertFalse(again.exists("/.upcall-unlinked"), "what a killed process left is gone");
    }
  }

  // ------------------------------------------------------------------ threads

  @Test
  void anInterruptClosesTheChannel() throws IOException {
    try (Upcall store = store("s")) {
      Path file = Files.writeString(store.fileSystem().getPath("/f"), "text");
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      Thread.currentThread().interrupt();
      assertThrows(
          ClosedByInterruptException.class, () -> channel.write(ByteBuffer.allocate(1), 9));
      assertTrue(Thread.interrupted());
      assertFalse(channel.isOpen());
      assertEquals("text", Files.readString(file), "and the file system lives on");
    }
  }

  @Test
  void aThousandVirtualThreads() throws Exception {
    int threads = 1000;
    try (Upcall store = store("s");
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      FileSystem system = store.fileSystem();
      Path log = Files.createFile(system.getPath("/log"));
      List<java.util.concurrent.Future<String>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        String line = "line %04d\n".formatted(i);
        Path own = system.getPath("/own" + i);
        all.add(
            executor.submit(
                () -> {
                  Files.writeString(log, line, StandardOpenOption.APPEND);
                  Files.writeString(own, line);
                  return Files.readString(own);
                }));
      }
      for (int i = 0; i < threads; i++) {
        assertEquals("line %04d\n".formatted(i), all.get(i).get());
      }
      assertEquals(
          IntStream.range(0, threads).mapToObj("line %04d"::formatted).toList(),
          Files.readAllLines(log).stream().sorted().toList());
    }
  }

  @Test
  void memoryOfOneThreadIsNotTouchedByAnother() throws IOException {
    try (Upcall store = store("s");
        Arena mine = Arena.ofConfined();
        FileChannel channel =
            FileChannel.open(
                store.fileSystem().getPath("/f"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
      ByteBuffer bytes = mine.allocate(5000).asByteBuffer();
      bytes.put(0, (byte) 9);
      assertEquals(5000, channel.write(bytes));
      assertEquals(5000, channel.read(bytes.clear(), 0));
      assertEquals(9, bytes.get(0));
    }
  }

  // ------------------------------------------------------------------ large, mapped, asynchronous

  @Test
  void filesBeyondFourGiB() throws IOException {
    long far = 5L << 30;
    try (Upcall store = store("s")) {
      Path file = store.fileSystem().getPath("/big");
      try (FileChannel channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.SPARSE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap("end".getBytes(UTF_8)), far);
        ByteBuffer back = ByteBuffer.allocate(8);
        assertEquals(7, channel.read(back, far - 4));
        assertEquals("end", new String(back.array(), 4, 3, UTF_8));
        channel.position(far + 3).write(ByteBuffer.wrap("!".getBytes(UTF_8)));
      }
      assertEquals(far + 4, Files.size(file));
      assertTrue(store.info().sizeBytes() < 1L << 30, "the hole takes no room");
    }
  }

  @Test
  void mappingsAreCopies() throws IOException {
    try (Upcall store = store("s");
        Arena arena = Arena.ofShared()) {
      Path file = Files.writeString(store.fileSystem().getPath("/f"), "0123456789");
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        var mapped = channel.map(MapMode.READ_ONLY, 2, 5);
        var segment = channel.map(MapMode.READ_ONLY, 2, 5, arena);
        var own = channel.map(MapMode.PRIVATE, 0, 10);
        channel.write(ByteBuffer.wrap("xxxx".getBytes(UTF_8)), 2);
        own.put(0, (byte) 'P');
        assertEquals('2', mapped.get(0));
        assertEquals('3', segment.get(ValueLayout.JAVA_BYTE, 1));
        assertEquals("01xxxx6789", Files.readString(file));
        assertThrows(
            UnsupportedOperationException.class, () -> channel.map(MapMode.READ_WRITE, 0, 1));
      }
    }
  }

  @Test
  void asynchronousChannels() throws Exception {
    try (Upcall store = store("s")) {
      Path file = store.fileSystem().getPath("/f");
      AsynchronousFileChannel channel =
          AsynchronousFileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      assertEquals(4, channel.write(ByteBuffer.wrap("text".getBytes(UTF_8)), 0).get());
      CompletableFuture<Object> heard = new CompletableFuture<>();
      ByteBuffer into = ByteBuffer.allocate(9);
      channel.read(
          into,
          1,
          "attachment",
          new CompletionHandler<Integer, String>() {
            @Override
            public void completed(Integer count, String attachment) {
              heard.complete(attachment + count);
            }

            @Override
            public void failed(Throwable failure, String attachment) {
              heard.complete(failure);
            }
          });
      assertEquals("attachment3", heard.get());
      assertThrows(IllegalArgumentException.class, () -> channel.read(into, -1));
      assertTrue(channel.lock(0, 2, true).get().isValid());
      channel.truncate(1);
      assertEquals(1, channel.size());
      channel.close();
      ExecutionException closed =
          assertThrows(ExecutionException.class, () -> channel.read(into, 0).get());
      assertInstanceOf(ClosedChannelException.class, closed.getCause());
      assertThrows(
          UnsupportedOperationException.class,
          () -> AsynchronousFileChannel.open(file, StandardOpenOption.APPEND));
    }
  }

  // ------------------------------------------------------------------ read only

  @Test
  void snapshotsAreFileSystemsToo() throws IOException {
    try (FsmUpcall store = store("s")) {
      Path live = store.fileSystem().getPath("/dir/f");
      Files.createDirectory(live.getParent());
      Files.writeString(live, "then");
      store.createSnapshot("nightly");
      try (UpcallSnapshot snapshot = store.snapshot();
          FileSystem then = snapshot.fileSystem()) {
        Files.writeString(live, "now, and longer");
        Files.createFile(live.resolveSibling("new"));
        Path old = then.getPath("/dir/f");
        assertEquals("then", Files.readString(old));
        assertEquals(old, Path.of(old.toUri()));
        assertTrue(then.isReadOnly());
        try (var entries = Files.list(old.getParent())) {
          assertEquals(List.of(old), entries.toList());
        }
        assertReadOnly(then.getPath("/dir"));
        Files.copy(old, live.resolveSibling("back"));
        assertEquals("then", Files.readString(live.resolveSibling("back")));
      }
    }
    try (FileSystem nightly =
        FileSystems.newFileSystem(
            uri("s"), Map.of("snapshot", "nightly", "memoryBytes", 16L << 20))) {
      assertEquals("then", Files.readString(nightly.getPath("/dir/f")));
      assertTrue(nightly.getPath("/dir/f").toUri().toString().endsWith("?snapshot=nightly"));
    }
    try (FileSystem left =
        FileSystems.newFileSystem(uri("s"), Map.of("readOnly", true, "memoryBytes", 16L << 20))) {
      assertEquals("now, and longer", Files.readString(left.getPath("/dir/f")));
      assertReadOnly(left.getPath("/dir"));
    }
  }

  private static void assertReadOnly(Path directory) {
    Path file = directory.resolve("f");
    List<org.junit.jupiter.api.function.Executable> changes =
        List.of(
            () -> Files.writeString(file, "x"),
            () -> Files.createDirectory(directory.resolve("d")),
            () -> Files.createSymbolicLink(directory.resolve("l"), file),
            () -> Files.delete(file),
            () -> Files.move(file, directory.resolve("g")),
            () -> Files.copy(file, directory.resolve("g")),
            () -> Files.setAttribute(file, "user:a", new byte[1]),
            () -> Files.newByteChannel(file, StandardOpenOption.DELETE_ON_CLOSE));
    changes.forEach(change -> assertThrows(ReadOnlyFileSystemException.class, change));
    assertFalse(Files.isWritable(file));
  }

  @Test
  void hardLinksAreRefusedAsTheContractSays() throws IOException {
    try (Upcall store = store("s")) {
      Path file = Files.createFile(store.fileSystem().getPath("/f"));
      assertThrows(
          UnsupportedOperationException.class,
          () -> Files.createLink(file.resolveSibling("g"), file));
    }
  }

  @Test
  void sizesOfTheVolume() throws IOException {
    try (Upcall store = Upcall.create(folder.resolve("s"), SMALL.withCapBytes(256L << 20))) {
      Path file = Files.write(store.fileSystem().getPath("/f"), new byte[10 << 20]);
      FileStore volume = Files.getFileStore(file);
      assertEquals(256L << 20, volume.getTotalSpace());
      assertTrue(volume.getUsableSpace() < (256L << 20) - (10 << 20));
      assertTrue(volume.getUsableSpace() > 100L << 20);
      assertEquals(4096, volume.getBlockSize());
      assertEquals("upcall", volume.type());
      assertTrue(volume.supportsFileAttributeView("user"));
      assertFalse(volume.supportsFileAttributeView("dos"));
      assertEquals(volume.getTotalSpace(), volume.getAttribute("totalSpace"));
    }
  }
}
