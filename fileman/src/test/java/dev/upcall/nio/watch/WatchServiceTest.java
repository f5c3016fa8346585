package dev.upcall.nio.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;
import static java.nio.file.StandardWatchEventKinds.OVERFLOW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Engine;
import dev.upcall.Expiry;
import dev.upcall.FsmUpcall;
import dev.upcall.MetadataChange;
import dev.upcall.Parents;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.fileman.blocking.EachEngine;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** What watch services tell, beside what the host's tells, and what they do at their ends. */
class WatchServiceTest {
  private static final UpcallConfig SMALL = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20);
  private static final WatchEvent.Kind<?>[] ALL = {ENTRY_CREATE, ENTRY_MODIFY, ENTRY_DELETE};
  private static final long WAIT_S = 60;

  @TempDir Path folder;

  private FsmUpcall store() {
    return Upcall.create(folder.resolve("w.upcall"), SMALL).fsm();
  }

  // ------------------------------------------------------------------ beside the host

  private interface Script {
    void run(Path watched, Path other) throws IOException;
  }

  /** What happens while a directory is watched, in which before that were a, b, sub and sub/c. */
  private static Map<String, Script> scripts() {
    Map<String, Script> all = new LinkedHashMap<>();
    all.put("create a file", (in, _) -> Files.createFile(in.resolve("n")));
    all.put("create a directory", (in, _) -> Files.createDirectory(in.resolve("n")));
    all.put("create a link", (in, _) -> Files.createSymbolicLink(in.resolve("n"), in));
    all.put("write anew", (in, _) -> Files.writeString(in.resolve("n"), "new"));
    all.put("overwrite", (in, _) -> Files.writeString(in.resolve("a"), "other"));
    all.put(
        "append", (in, _) -> Files.writeString(in.resolve("a"), "more", StandardOpenOption.APPEND));
    all.put("delete a file", (in, _) -> Files.delete(in.resolve("a")));
    all.put(
        "delete a directory",
        (in, _) -> {
          Files.delete(in.resolve("sub/c"));
          Files.delete(in.resolve("sub"));
        });
    all.put("rename", (in, _) -> Files.move(in.resolve("a"), in.resolve("n")));
    all.put(
        "rename and back",
        (in, _) -> {
          Files.move(in.resolve("a"), in.resolve("n"));
          Files.move(in.resolve("n"), in.resolve("a"));
        });
    all.put(
        "replace",
        (in, _) -> Files.move(in.resolve("a"), in.resolve("b"), StandardCopyOption.ATOMIC_MOVE));
    all.put("rename a directory", (in, _) -> Files.move(in.resolve("sub"), in.resolve("n")));
    all.put("move out", (in, out) -> Files.move(in.resolve("a"), out.resolve("a")));
    all.put("move in", (in, out) -> Files.move(out.resolve("o"), in.resolve("o")));
    all.put("change below", (in, _) -> Files.writeString(in.resolve("sub/n"), "deep"));
    all.put("delete below", (in, _) -> Files.delete(in.resolve("sub/c")));
    all.put(
        "permissions",
        (in, _) ->
            Files.setPosixFilePermissions(
                in.resolve("a"), PosixFilePermissions.fromString("rwx------")));
    all.put(
        "permissions of a directory",
        (in, _) ->
            Files.setPosixFilePermissions(
                in.resolve("sub"), PosixFilePermissions.fromString("rwx------")));
    all.put(
        "times",
        (in, _) ->
            Files.setLastModifiedTime(in.resolve("a"), FileTime.from(Instant.ofEpochSecond(7))));
    all.put(
        "times of a directory",
        (in, _) ->
            Files.setLastModifiedTime(in.resolve("sub"), FileTime.from(Instant.ofEpochSecond(7))));
    all.put(
        "a file comes and goes",
        (in, _) -> {
          Files.createFile(in.resolve("n"));
          Files.delete(in.resolve("n"));
        });
    all.put(
        "the directory is renamed",
        (in, _) -> {
          Path renamed = Files.move(in, in.resolveSibling("renamed"));
          Files.createFile(renamed.resolve("n"));
          Files.move(renamed, in);
        });
    all.put("nothing", (_, _) -> {});
    return all;
  }

  @ParameterizedTest
  @EachEngine
  void tellsWhatTheHostTells(Engine engine) throws Exception {
    List<String> expected = new ArrayList<>();
    List<String> found = new ArrayList<>();
    try (Upcall store = Upcall.create(folder.resolve("h.upcall"), SMALL.withEngine(engine));
        FileSystem system = store.fileSystem()) {
      int number = 0;
      for (Map.Entry<String, Script> script : scripts().entrySet()) {
        Path host = Files.createDirectory(folder.resolve("h" + number));
        Path ours = Files.createDirectory(system.getPath("/h" + number));
        expected.add(script.getKey() + ": " + told(host, script.getValue()));
        found.add(script.getKey() + ": " + told(ours, script.getValue()));
        number++;
      }
    }
    assertEquals(String.join("\n", expected), String.join("\n", found));
  }

  /** What is told, in its order; how often depends on how quickly somebody looks. */
  private static List<String> told(Path root, Script script) throws Exception {
    Path in = Files.createDirectory(root.resolve("in"));
    Path out = Files.createDirectory(root.resolve("out"));
    Files.writeString(in.resolve("a"), "a");
    Files.writeString(in.resolve("b"), "b");
    Files.writeString(Files.createDirectory(in.resolve("sub")).resolve("c"), "c");
    Files.writeString(out.resolve("o"), "o");
    try (WatchService service = root.getFileSystem().newWatchService()) {
      WatchKey key = in.register(service, ALL);
      script.run(in, out);
      Files.createDirectory(in.resolve("end"));
      List<String> all = new ArrayList<>();
      while (all.isEmpty() || !all.getLast().equals("ENTRY_CREATE end")) {
        assertSame(key, service.poll(WAIT_S, TimeUnit.SECONDS), () -> "after " + all);
        for (WatchEvent<?> event : key.pollEvents()) {
          String text = event.kind() + " " + event.context();
          if (all.isEmpty() || !all.getLast().equals(text)) {
            all.add(text);
          }
        }
        assertTrue(key.reset());
      }
      return all;
    }
  }

  @Test
  void theKeyOfADirectoryThatGoesIsInvalid() throws Exception {
    try (Upcall store = store()) {
      for (Path root : List.of(folder, store.fileSystem().getPath("/"))) {
        Path in = Files.createDirectory(root.resolve("in"));
        try (WatchService service = root.getFileSystem().newWatchService()) {
          WatchKey key = in.register(service, ALL);
          Files.delete(in);
          assertSame(key, service.poll(WAIT_S, TimeUnit.SECONDS));
          assertEquals(List.of(), key.pollEvents());
          assertFalse(key.isValid());
          assertFalse(key.reset());
          assertThrows(NoSuchFileException.class, () -> in.register(service, ALL));
          assertNotSame(key, Files.createDirectory(in).register(service, ALL));
        }
      }
    }
  }

  @Test
  void refusesWhatTheHostRefuses() throws Exception {
    try (Upcall store = store()) {
      for (Path root : List.of(folder, store.fileSystem().getPath("/"))) {
        Path file = Files.createFile(root.resolve("file"));
        WatchService service = root.getFileSystem().newWatchService();
        assertThrows(NullPointerException.class, () -> root.register(null, ALL));
        assertThrows(IllegalArgumentException.class, () -> root.register(service));
        assertThrows(IllegalArgumentException.class, () -> root.register(service, OVERFLOW));
        assertThrows(
            NullPointerException.class,
            () -> root.register(service, new WatchEvent.Kind<?>[] {null}));
        assertThrows(NotDirectoryException.class, () -> file.register(service, ALL));
        Path none = root.resolve("none");
        assertThrows(NoSuchFileException.class, () -> none.register(service, ALL));
        WatchKey key = root.register(service, ENTRY_DELETE);
        assertSame(key, root.register(service, ENTRY_CREATE));
        assertSame(root, key.watchable());
        assertTrue(key.isValid());
        key.cancel();
        assertFalse(key.isValid());
        assertFalse(key.reset());
        service.close();
        service.close();
        assertThrows(ClosedWatchServiceException.class, service::poll);
        assertThrows(ClosedWatchServiceException.class, () -> service.poll(1, TimeUnit.DAYS));
        assertThrows(ClosedWatchServiceException.class, service::take);
        assertThrows(ClosedWatchServiceException.class, () -> root.register(service, ALL));
      }
      try (WatchService host = FileSystems.getDefault().newWatchService();
          WatchService ours = store.fileSystem().newWatchService()) {
        Path here = store.fileSystem().getPath("/");
        assertThrows(ProviderMismatchException.class, () -> here.register(host, ALL));
        assertThrows(ProviderMismatchException.class, () -> folder.register(ours, ALL));
        try (FsmUpcall other = Upcall.create(folder.resolve("other.upcall"), SMALL).fsm();
            FileSystem snapshot = other.snapshot().fileSystem("now")) {
          Path there = other.fileSystem().getPath("/");
          assertThrows(ProviderMismatchException.class, () -> there.register(ours, ALL));
          assertThrows(UnsupportedOperationException.class, snapshot::newWatchService);
        }
      }
    }
  }

  // ------------------------------------------------------------------ every door

  @Test
  void seesChangesByAllDoors() throws Exception {
    try (FsmUpcall store = store();
        WatchService service = store.fileSystem().newWatchService()) {
      Path in = Files.createDirectory(store.fileSystem().getPath("/in"));
      WatchKey key = in.register(service, ALL);

      store.writeString("/in/put", "text");
      assertEquals(List.of("ENTRY_CREATE put 1"), told(service, key));
      store.writeString("/in/put", "other");
      store.writeString("/in/put", "another");
      assertEquals(List.of("ENTRY_MODIFY put 2"), told(service, key));

      store.batch(
          List.of(
              new FileRequest.Delete(StorePath.of("/in/put")),
              new FileRequest.SymbolicLink(StorePath.of("/in/link"), "to", MetadataChange.NONE)),
          Durability.ASYNC);
      assertEquals(List.of("ENTRY_DELETE put 1", "ENTRY_CREATE link 1"), told(service, key));

      store.transact(
          both -> {
            both.writeString("/in/one", "1");
            both.rename("/in/one", "/in/two");
            both.delete("/in/link");
            assertNull(service.poll(), "nothing has happened yet");
            return null;
          });
      assertEquals(List.of("ENTRY_DELETE link 1", "ENTRY_CREATE two 1"), told(service, key));

      store.newStageFiles(Runnable::run).delete("/in/two").toCompletableFuture().get();
      assertEquals(List.of("ENTRY_DELETE two 1"), told(service, key));

      PutOptions shortly =
          PutOptions.DEFAULT.withExpiry(new Expiry.At(1)); // it has expired when it is there
      store.write("/in/old", "old".getBytes(UTF_8), shortly);
      List<String> told = new ArrayList<>();
      while (!told.contains("ENTRY_DELETE old 1")) {
        assertSame(key, service.poll(WAIT_S, TimeUnit.SECONDS), told::toString);
        told.addAll(texts(key));
      }
      assertEquals(List.of("ENTRY_CREATE old 1", "ENTRY_DELETE old 1"), told);

      Path kept = Files.writeString(in.resolve("kept"), "x");
      try (var open = Files.newByteChannel(kept)) {
        Files.delete(kept); // it lives on, hidden in the root, for the channel
        assertEquals(1, open.size());
      }
      assertEquals("ENTRY_DELETE kept 1", told(service, key).getLast(), "a file that is open");

      store.deleteTree("/in");
      assertSame(key, service.poll());
      assertFalse(key.reset());
    }
  }

  /** What is told by now: a change that has returned is. */
  private static List<String> told(WatchService service, WatchKey key) {
    assertSame(key, service.poll());
    return texts(key);
  }

  private static List<String> texts(WatchKey key) {
    List<String> texts =
        key.pollEvents().stream()
            .map(event -> event.kind() + " " + event.context() + " " + event.count())
            .toList();
    assertTrue(key.reset());
    return texts;
  }

  @Test
  void whatIsHiddenIsNotTold() throws Exception {
    try (FsmUpcall store = store();
        WatchService service = store.fileSystem().newWatchService()) {
      Path root = store.fileSystem().getPath("/");
      Path file = Files.writeString(root.resolve("f"), "x");
      WatchKey key = root.register(service, ALL);
      try (var open = Files.newByteChannel(file)) {
        Files.delete(file);
        assertEquals(1, open.size());
      }
      assertEquals(List.of("ENTRY_DELETE f 1"), told(service, key));
    }
  }

  // ------------------------------------------------------------------ many threads

  /** What somebody knows of two directories who reads what he is told of. */
  private record Mirror(Map<Path, Map<String, String>> known) {
    void look(Path directory) throws IOException {
      known.put(directory, contents(directory));
    }

    void take(WatchKey key) throws IOException {
      Path directory = (Path) key.watchable();
      for (WatchEvent<?> event : key.pollEvents()) {
        if (event.kind() == OVERFLOW) {
          look(directory);
          continue;
        }
        String name = String.valueOf(event.context());
        String content = event.kind() == ENTRY_DELETE ? null : content(directory.resolve(name));
        Map<String, String> there = known.get(directory);
        if (content == null) {
          there.remove(name);
        } else {
          there.put(name, content);
        }
      }
      assertTrue(key.reset());
    }

    static Map<String, String> contents(Path directory) throws IOException {
      Map<String, String> contents = new TreeMap<>();
      try (Stream<Path> entries = Files.list(directory)) {
        for (Path entry : entries.toList()) {
          String content = content(entry);
          if (content != null) {
            contents.put(entry.getFileName().toString(), content);
          }
        }
      }
      return contents;
    }

    private static @Nullable String content(Path file) throws IOException {
      try {
        return Files.readString(file);
      } catch (NoSuchFileException gone) {
        return null; // which is told, too
      }
    }
  }

  @ParameterizedTest
  @EachEngine({"1", "2", "3"})
  void whoReadsWhatHeIsToldOfKnowsAll(Engine engine, long seed) throws Exception {
    try (Upcall store = Upcall.create(folder.resolve("m.upcall"), SMALL.withEngine(engine));
        WatchService service = store.fileSystem().newWatchService()) {
      Mirror mirror = new Mirror(new LinkedHashMap<>());
      List<Path> directories = new ArrayList<>();
      for (String name : List.of("/one", "/two")) {
        Path directory = Files.createDirectory(store.fileSystem().getPath(name));
        directories.add(directory);
        directory.register(service, ALL);
        mirror.look(directory);
      }
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<?>> changing = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          SplittableRandom random = new SplittableRandom(10 * seed + i);
          changing.add(threads.submit(() -> change(directories, random)));
        }
        while (changing.stream().anyMatch(each -> !each.isDone())) {
          WatchKey key = service.poll(1, TimeUnit.MILLISECONDS);
          if (key != null) {
            mirror.take(key);
          }
        }
        for (Future<?> each : changing) {
          each.get();
        }
      }
      for (WatchKey key = service.poll(); key != null; key = service.poll()) {
        mirror.take(key);
      }
      for (Path directory : directories) {
        assertEquals(Mirror.contents(directory), mirror.known().get(directory), "seed " + seed);
      }
    }
  }

  private static Void change(List<Path> directories, SplittableRandom random) throws IOException {
    for (int step = 0; step < 120; step++) {
      Path file = any(directories, random);
      try {
        switch (random.nextInt(4)) {
          case 0 -> Files.deleteIfExists(file);
          case 1 -> Files.move(file, any(directories, random), StandardCopyOption.ATOMIC_MOVE);
          default -> Files.writeString(file, String.valueOf(random.nextInt(1000)));
        }
      } catch (NoSuchFileException | FileAlreadyExistsException other) {
        // Somebody else was quicker.
      }
    }
    return null;
  }

  private static Path any(List<Path> directories, SplittableRandom random) {
    return directories.get(random.nextInt(2)).resolve("f" + random.nextInt(6));
  }

  // ------------------------------------------------------------------ limits and ends

  @Test
  void toldOfWhatIsMissingWhenNobodyTakes() throws Exception {
    try (FsmUpcall store = store();
        WatchService service = store.fileSystem().newWatchService()) {
      Path in = Files.createDirectory(store.fileSystem().getPath("/in"));
      WatchKey key = in.register(service, ENTRY_CREATE);
      for (int done = 0; done <= EntryEvents.MAX_EVENTS; done += 1000) {
        List<FileRequest> some = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
          some.add(
              new FileRequest.CreateDirectory(
                  StorePath.of("/in/d" + (done + i)), Parents.MUST_EXIST, MetadataChange.NONE));
        }
        store.batch(some, Durability.ASYNC);
      }
      assertEquals(List.of("OVERFLOW null 1"), told(service, key));
      assertNull(service.poll());
      Files.createFile(in.resolve("after"));
      assertEquals(List.of("ENTRY_CREATE after 1"), told(service, key));
    }
  }

  @Test
  void aKeyIsOneAtATimeAndComesAgainForWhatCameMeanwhile() throws Exception {
    try (FsmUpcall store = store();
        WatchService service = store.fileSystem().newWatchService()) {
      Path in = Files.createDirectory(store.fileSystem().getPath("/in"));
      WatchKey key = in.register(service, ALL);
      assertNull(service.poll());
      assertNull(service.poll(1, TimeUnit.MILLISECONDS));
      Files.createFile(in.resolve("one"));
      assertSame(key, service.take());
      Files.createFile(in.resolve("two"));
      assertNull(service.poll(), "it is not reset yet");
      assertEquals(2, key.pollEvents().size());
      Files.createFile(in.resolve("three"));
      assertTrue(key.reset());
      assertSame(key, service.poll());
      assertEquals(1, key.pollEvents().size());
      assertTrue(key.reset());
      assertNull(service.poll());
      key.cancel();
      Files.createFile(in.resolve("four"));
      assertNull(service.poll());
    }
  }

  @Test
  void closingWakesAllWhoWait() throws Exception {
    FsmUpcall store = store();
    FileSystem system = store.fileSystem();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (AutoCloseable closes : List.of(system.newWatchService(), system, store)) {
        WatchService service =
            closes instanceof WatchService given ? given : store.fileSystem().newWatchService();
        FileSystem present = store.fileSystem();
        present.getPath("/").register(service, ALL);
        List<Future<Throwable>> waiting =
            Stream.generate(() -> threads.submit(() -> failure(service))).limit(20).toList();
        (closes == system ? present : closes).close();
        for (Future<Throwable> one : waiting) {
          assertEquals(ClosedWatchServiceException.class, one.get().getClass());
        }
      }
    }
  }

  @Test
  void aStoreThatDiesWakesAllWhoWait() throws Exception {
    FsmUpcall store = store();
    FileSystem system = store.fileSystem();
    WatchService service = system.newWatchService();
    WatchKey key = system.getPath("/").register(service, ALL);
    store.execute(
        () -> {
          throw new IllegalStateException("a bug of the user's");
        });
    assertSame(key, service.take());
    assertFalse(key.reset());
    assertThrows(DispatcherStoppedException.class, store::close);
    assertThrows(ClosedWatchServiceException.class, service::take);
  }

  private static Throwable failure(WatchService service) {
    return assertThrows(Throwable.class, service::take);
  }
}
