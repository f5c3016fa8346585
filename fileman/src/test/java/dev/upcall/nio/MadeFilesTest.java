package dev.upcall.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreInfo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** Files that were made and written a moment ago: every way leads to them. */
class MadeFilesTest {
  private static final UpcallConfig SMALL = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20);

  private static final StandardOpenOption NEW = StandardOpenOption.CREATE_NEW;

  @TempDir Path folder;

  private Upcall store(Engine engine) throws IOException {
    Upcall store = Upcall.create(folder.resolve("s.upcall"), SMALL.withEngine(engine));
    Files.writeString(path(store, "/warm"), "from now on it is known that there is room");
    return store;
  }

  private static Path path(Upcall store, String path) {
    return store.fileSystem().getPath(path);
  }

  // ------------------------------------------------------------------ what is durable

  @Test
  void whatIsForcedIsDurableWithAllThatWasMadeBefore() throws IOException {
    try (Upcall store = store(Engine.FSM)) {
      for (int round = 0; round < 20; round++) {
        Files.writeString(path(store, "/a" + round), "a");
        Path last = path(store, "/b" + round);
        Files.writeString(last, "b");
        try (FileChannel channel = FileChannel.open(last, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
        StoreInfo now = store.info();
        assertTrue(now.durableScn() >= now.scn(), round + ": " + now);
      }
      assertEquals(41, store.list("/", 100).entries().size());
    }
  }

  // ------------------------------------------------------------------ whoever looks

  @Test
  void everyWayLeadsToIt() throws IOException {
    try (Upcall store = store(Engine.FSM)) {
      Files.createDirectories(path(store, "/d/e"));
      Files.createSymbolicLink(path(store, "/to-d"), path(store, "d"));
      Files.createSymbolicLink(path(store, "/to-f"), path(store, "/d/f"));
      List<String> ways =
          List.of("/d/f", "d/f", "/to-d/f", "/d/e/../f", "/to-d/e/../f", "/to-f", "d/./f");
      for (String way : ways) {
        for (String other : ways) {
          Path made = path(store, way);
          boolean isLink = way.equals("/to-f");
          if (isLink) {
            Files.write(made, new byte[] {1, 2}, StandardOpenOption.CREATE);
          } else {
            Files.write(made, new byte[] {1, 2}, StandardOpenOption.CREATE_NEW);
          }
          String where = way + ", " + other;
          assertArrayEquals(new byte[] {1, 2}, Files.readAllBytes(path(store, other)), where);
          assertThrows(
              FileAlreadyExistsException.class,
              () -> FileChannel.open(path(store, other), NEW, StandardOpenOption.WRITE),
              where);
          Files.delete(path(store, "/d/f"));
          assertFalse(Files.exists(path(store, other)), where);
        }
      }
    }
  }

  @Test
  void everyCallFindsIt() throws IOException {
    Map<String, Look> looks = new TreeMap<>();
    looks.put("exists", (store, path) -> assertTrue(Files.exists(path)));
    looks.put("size", (store, path) -> assertEquals(4, Files.size(path)));
    looks.put("stat", (store, path) -> assertEquals(4, store.stat("/d/f").sizeBytes()));
    looks.put("readAllBytes", (store, path) -> assertEquals(4, store.readAllBytes("/d/f").length));
    looks.put("list", (store, path) -> assertEquals(1, store.list("/d", 9).entries().size()));
    looks.put(
        "Files.list",
        (store, path) -> {
          try (Stream<Path> all = Files.list(path.getParent())) {
            assertEquals(List.of(path), all.toList());
          }
        });
    looks.put(
        "delete directory",
        (store, path) ->
            assertThrows(DirectoryNotEmptyException.class, () -> Files.delete(path.getParent())));
    looks.put(
        "through it",
        (store, path) -> {
          assertThrows(FileSystemException.class, () -> Files.readAllBytes(path.resolve("below")));
          assertThrows(NotDirectoryException.class, () -> Files.newDirectoryStream(path).close());
        });
    looks.put(
        "createDirectory",
        (store, path) ->
            assertThrows(FileAlreadyExistsException.class, () -> Files.createDirectory(path)));
    looks.put(
        "copy",
        (store, path) -> {
          Files.copy(path, path.resolveSibling("copy"));
          assertEquals("text", Files.readString(path.resolveSibling("copy")));
          Files.delete(path.resolveSibling("copy"));
        });
    looks.put(
        "move",
        (store, path) -> {
          Files.move(path, path.resolveSibling("moved"), StandardCopyOption.ATOMIC_MOVE);
          assertEquals("text", store.readString("/d/moved"));
          Files.move(path.resolveSibling("moved"), path);
        });
    looks.put(
        "move onto it",
        (store, path) -> {
          Path other = Files.writeString(path.resolveSibling("other"), "more");
          assertThrows(FileAlreadyExistsException.class, () -> Files.move(other, path));
          Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
          assertEquals("more", Files.readString(path));
        });
    looks.put(
        "secure directory",
        (store, path) -> {
          try (SecureDirectoryStream<Path> open =
              (SecureDirectoryStream<Path>) Files.newDirectoryStream(path.getParent())) {
            open.newByteChannel(path.getFileName(), Set.of(StandardOpenOption.READ)).close();
            open.deleteFile(path.getFileName());
          }
          assertFalse(Files.exists(path));
        });
    looks.put(
        "a durable channel",
        (store, path) -> {
          Path same = store.fileSystem(Durability.SYNC).getPath("/d/f");
          Files.write(same, new byte[] {5}, StandardOpenOption.APPEND);
          assertEquals(5, Files.readAllBytes(path).length);
        });
    looks.put(
        "snapshot",
        (store, path) -> {
          try (var taken = store.fsm().snapshot()) {
            assertEquals(4, taken.stat("/d/f").sizeBytes());
          }
        });
    try (Upcall store = store(Engine.FSM)) {
      Path path = Files.createDirectory(path(store, "/d")).resolve("f");
      for (Look look : looks.values()) {
        Files.writeString(path, "text");
        look.at(store, path);
        Files.deleteIfExists(path);
      }
    }
  }

  private interface Look {
    void at(Upcall store, Path path) throws IOException;
  }

  @Test
  void onesThatAreOpenLiveOnWithoutTheirName() throws IOException {
    try (Upcall store = store(Engine.FSM)) {
      Path path = path(store, "/f");
      try (FileChannel channel =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {1, 2}));
        Files.delete(path);
        Files.writeString(path, "another");
        channel.write(ByteBuffer.wrap(new byte[] {3}));
        ByteBuffer read = ByteBuffer.allocate(9);
        assertEquals(3, channel.read(read, 0));
      }
      assertEquals("another", store.readString("/f"));
      assertEquals(2, store.list("/", 10).entries().size() - hidden(store));
    }
  }

  private static int hidden(Upcall store) {
    return (int) store.list("/", 10).entries().stream().filter(each -> each.isDirectory()).count();
  }

  @ParameterizedTest
  @EachEngine({"1", "2", "3"})
  void filesAreAsAModelHasThem(Engine engine, long seed) throws IOException {
    Random random = new Random(seed);
    Map<String, byte[]> model = new TreeMap<>();
    try (Upcall store = store(engine)) {
      Files.createDirectory(path(store, "/d"));
      for (int step = 0; step < 600; step++) {
        String where = "seed " + seed + ", step " + step;
        step(where, store, model, random);
        if (random.nextInt(10) == 0) {
          check(where, store, model);
        }
      }
      check("seed " + seed, store, model);
    }
    try (Upcall again = Upcall.open(folder.resolve("s.upcall"), SMALL.withEngine(engine))) {
      check("seed " + seed + ", opened again", again, model);
    }
  }

  private static void step(String where, Upcall store, Map<String, byte[]> model, Random random)
      throws IOException {
    String name = "f" + random.nextInt(6);
    Path path = path(store, "/d").resolve(name);
    byte[] bytes = new byte[random.nextInt(random.nextInt(30) == 0 ? 400_000 : 2000)];
    random.nextBytes(bytes);
    byte[] there = model.get(name);
    switch (random.nextInt(9)) {
      case 0, 1 -> {
        Files.write(path, bytes);
        model.put(name, bytes);
      }
      case 2 -> {
        if (there == null) {
          Files.write(path, bytes, StandardOpenOption.CREATE_NEW);
          model.put(name, bytes);
        } else {
          assertThrows(
              FileAlreadyExistsException.class,
              () -> Files.write(path, bytes, StandardOpenOption.CREATE_NEW),
              where);
        }
      }
      case 3, 4 -> {
        Files.write(path, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        byte[] before = there == null ? new byte[0] : there;
        byte[] all = Arrays.copyOf(before, before.length + bytes.length);
        System.arraycopy(bytes, 0, all, before.length, bytes.length);
        model.put(name, all);
      }
      case 5 -> {
        assertEquals(there != null, Files.deleteIfExists(path), where);
        model.remove(name);
      }
      case 6 -> {
        if (there == null) {
          assertThrows(NoSuchFileException.class, () -> Files.readAllBytes(path), where);
        } else {
          assertArrayEquals(there, Files.readAllBytes(path), where);
        }
      }
      case 7 -> {
        String to = "f" + random.nextInt(6);
        if (there != null && !to.equals(name)) {
          Files.move(path, path.resolveSibling(to), StandardCopyOption.REPLACE_EXISTING);
          model.remove(name);
          model.put(to, there);
        }
      }
      default -> {
        store.write("/d/" + name, bytes);
        model.put(name, bytes);
      }
    }
  }

  private static void check(String where, Upcall store, Map<String, byte[]> model) {
    List<String> names =
        store.list("/d", 100).entries().stream().map(each -> each.name()).sorted().toList();
    assertEquals(List.copyOf(model.keySet()), names, where);
    model.forEach(
        (name, bytes) -> assertArrayEquals(bytes, store.readAllBytes("/d/" + name), where));
  }

  // ------------------------------------------------------------------ others

  @Test
  void oneOnlyMakesAFileHoweverManyTry() throws Exception {
    try (Upcall store = store(Engine.FSM);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 40; round++) {
        Path path = path(store, "/f" + round);
        Path durable = store.fileSystem(Durability.SYNC).getPath("/f" + round);
        List<Path> sources = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          sources.add(Files.writeString(path(store, "/s" + round + "-" + i), "moved"));
        }
        List<Callable<Boolean>> tries = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          tries.add(() -> hasMade(() -> Files.writeString(path, "n", NEW)));
        }
        tries.add(() -> hasMade(() -> Files.writeString(durable, "s", NEW)));
        tries.add(() -> hasMade(() -> Files.createDirectory(path)));
        tries.add(() -> hasMade(() -> Files.move(sources.get(0), path)));
        tries.add(() -> hasMade(() -> Files.copy(sources.get(1), path)));
        int made = 0;
        for (Future<Boolean> each : threads.invokeAll(tries)) {
          made += each.get() ? 1 : 0;
        }
        assertEquals(1, made, "round " + round);
        assertTrue(Files.exists(path));
        try (FileChannel forced =
            FileChannel.open(path(store, "/warm"), StandardOpenOption.WRITE)) {
          forced.force(false);
        }
      }
    }
  }

  private static boolean hasMade(Callable<?> making) throws Exception {
    try {
      making.call();
      return true;
    } catch (FileAlreadyExistsException other) {
      return false;
    }
  }

  @Test
  void whoHasAFileOpenKeepsItWhoeverElseComes() throws Exception {
    try (Upcall store = store(Engine.FSM);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 40; round++) {
        Path path = path(store, "/f" + round);
        List<Callable<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          writers.add(
              () -> {
                Files.writeString(path, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                Files.writeString(path, "y", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                assertTrue(Files.size(path) >= 2);
                return null;
              });
        }
        for (Future<Void> each : threads.invokeAll(writers)) {
          each.get();
        }
        assertEquals(12, Files.size(path), "round " + round);
      }
    }
  }

  @Test
  void aFileIsWholeWheneverItIsCommitted() throws Exception {
    try (Upcall store = store(Engine.FSM);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      AtomicBoolean ended = new AtomicBoolean();
      Future<Long> looks =
          other.submit(
              () -> {
                long count = 0;
                for (; !ended.get(); count++) {
                  store.stat("/warm"); // has all committed
                }
                return count;
              });
      byte[] piece = {1, 2, 3, 4};
      for (int i = 0; i < 400; i++) {
        Path path = path(store, "/f" + i % 7);
        try (FileChannel channel = FileChannel.open(path, NEW, StandardOpenOption.WRITE)) {
          for (int j = 0; j < 3; j++) {
            channel.write(ByteBuffer.wrap(piece));
          }
        }
        assertEquals(12, Files.size(path), "file " + i);
        assertEquals(12, Files.readAllBytes(path).length, "file " + i);
        Files.delete(path);
      }
      ended.set(true);
      assertTrue(looks.get() > 0);
    }
  }
}
