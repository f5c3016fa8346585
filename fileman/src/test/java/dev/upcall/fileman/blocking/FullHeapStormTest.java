package dev.upcall.fileman.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.FileContent;
import dev.upcall.FsmUpcall;
import dev.upcall.Listing;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.request.FileRequest;
import dev.upcall.stage.StageFiles;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole writes and reads of many threads whose arrays have no room in the heap together, and
 * batches whose plans have none beside what callers keep: each request is done or refused, what was
 * acknowledged is there, and the store goes on. Each in a JVM of its own.
 */
@Tag("long")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullHeapStormTest {
  private static final int WORKERS = 10;
  private static final int PLANNERS = 4;
  private static final int FILES = 8;
  private static final int MANY = 300;
  private static final int KEPT_BYTES = 256 << 10;
  private static final long WARM_NANOS = 1_500_000_000L;
  private static final long STORM_NANOS = 5_000_000_000L;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"blocking", "stages", "async", "batches", "handles", "transactions"})
  void aStormOverAFullHeap_endsNoStore(String face) throws Exception {
    List<String> said = child(face);
    assertTrue(said.getFirst().matches("acknowledged [1-9].*"), said::toString);
    assertEquals(List.of("all of it is there", "it goes on"), said.subList(1, said.size()));
  }

  private List<String> child(String face) throws IOException, InterruptedException {
    String surefire = System.getProperty("surefire.test.class.path");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx48m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp"));
    command.add(surefire == null ? System.getProperty("java.class.path") : surefire);
    command.addAll(
        List.of(Child.class.getName(), folder.resolve("volume.upcall").toString(), face));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int code = process.waitFor();
    List<String> lines = Files.readAllLines(output, UTF_8);
    assertEquals(0, code, lines::toString);
    return lines;
  }

  /** The program of the other JVM. */
  static final class Child {
    private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(16 << 20);

    /** One of each kind that a store treats in its own way: in the inode, in the log, in place. */
    private static final int[] SIZES = {100, 5_000, 100_000, 1_500_000};

    private final FsmUpcall store;
    private final int[][] acknowledged = new int[WORKERS][FILES];
    private final int[][] attempted = new int[WORKERS][FILES];
    private final long[] refused = new long[WORKERS];
    private final AtomicReference<Throwable> unexpected = new AtomicReference<>();
    private final long endNanos = System.nanoTime() + STORM_NANOS;

    private Child(FsmUpcall store) {
      this.store = store;
    }

    /** One request of a face, to its end. */
    private interface Face {
      void write(String path, byte[] bytes) throws Exception;

      byte[] read(String path) throws Exception;

      void list() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
      Path volume = Path.of(arguments[0]);
      Child child = new Child(Upcall.create(volume, CONFIG).fsm());
      child.storm(arguments[1]);
      child.check();
      child.store.close();
      try (Upcall again = Upcall.open(volume, CONFIG)) {
        again.write("/after", new byte[100_000]);
        assertEquals(100_000, again.readAllBytes("/after").length);
      }
      System.out.println("it goes on");
    }

    private void storm(String name) throws InterruptedException {
      List<Thread> threads = new ArrayList<>();
      boolean hoards = name.equals("batches");
      for (int i = 0; i < (hoards ? PLANNERS : WORKERS); i++) {
        int worker = i;
        threads.add(Thread.ofPlatform().start(() -> work(name, worker)));
      }
      if (hoards) {
        threads.add(Thread.ofPlatform().start(this::hoard));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      Throwable found = unexpected.get();
      if (found != null) {
        throw new AssertionError("a worker has met something else", found);
      }
      store
          .fileManager()
          .dispatcher()
          .failure()
          .ifPresent(
              failure -> {
                throw new AssertionError("the store's thread has ended", failure.error());
              });
    }

    private void work(String name, int worker) {
      Object[] face = new Object[1];
      for (int i = 0; System.nanoTime() < endNanos; i++) {
        int file = i % FILES;
        try {
          if (face[0] == null) {
            face[0] = face(name);
          }
          Face asked = (Face) face[0];
          String path = path(worker, file);
          attempted[worker][file]++;
          asked.write(path, bytes(worker, file, attempted[worker][file]));
          acknowledged[worker][file] = attempted[worker][file];
          checkBytes(worker, file, asked.read(path));
          asked.list();
        } catch (OutOfMemoryError | UpcallException.Busy noRoom) {
          refused[worker]++;
        } catch (Throwable other) {
          if (!isNoRoom(other)) {
            unexpected.compareAndSet(null, other);
            return;
          }
          refused[worker]++;
        }
      }
    }

    private static boolean isNoRoom(Throwable thrown) {
      for (Throwable each = thrown; each != null; each = each.getCause()) {
        if (each instanceof OutOfMemoryError || each instanceof UpcallException.Busy) {
          return true;
        }
      }
      return false;
    }

    /** Keeps all that there is, lets go of a little, then of all, again and again. */
    private void hoard() {
      // Classes are loaded by then: one whose loading finds no memory is lost to a JVM.
      LockSupport.parkNanos(WARM_NANOS);
      byte[][] kept = new byte[256][];
      for (int round = 1; System.nanoTime() < endNanos; round++) {
        int count = 0;
        try {
          while (count < kept.length) {
            kept[count] = new byte[KEPT_BYTES];
            count++;
          }
        } catch (OutOfMemoryError full) {
          count = Math.max(0, count - 12 - round % 12);
        }
        Arrays.fill(kept, count, kept.length, null);
        LockSupport.parkNanos(200_000_000);
        Arrays.fill(kept, null);
        LockSupport.parkNanos(50_000_000);
      }
    }

    // ---------------------------------------------------------------- what is written

    private static String path(int worker, int file) {
      return "/w" + worker + "-" + file;
    }

    private static byte[] bytes(int worker, int file, int version) {
      byte[] bytes = new byte[SIZES[file % SIZES.length]];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (i * 31 + i / 4096 + version);
      }
      bytes[0] = (byte) worker;
      bytes[1] = (byte) file;
      bytes[2] = (byte) version;
      bytes[3] = (byte) (version >> 8);
      return bytes;
    }

    private void checkBytes(int worker, int file, byte[] found) {
      int version = (found[2] & 0xff) | (found[3] & 0xff) << 8;
      assertEquals(SIZES[file % SIZES.length], found.length);
      assertEquals(worker, found[0]);
      assertEquals(file, found[1]);
      for (int i = 4; i < found.length; i++) {
        if (found[i] != (byte) (i * 31 + i / 4096 + version)) {
          throw new AssertionError("torn: " + path(worker, file) + " at " + i);
        }
      }
      assertTrue(
          version >= acknowledged[worker][file] && version <= attempted[worker][file],
          () ->
              path(worker, file)
                  + " has version "
                  + version
                  + ", not "
                  + acknowledged[worker][file]
                  + " to "
                  + attempted[worker][file]);
    }

    private void check() throws InterruptedException {
      int sum = 0;
      long sumRefused = 0;
      for (int worker = 0; worker < WORKERS; worker++) {
        sumRefused += refused[worker];
        for (int file = 0; file < FILES; file++) {
          sum += acknowledged[worker][file];
          if (acknowledged[worker][file] > 0) {
            checkBytes(worker, file, readSoon(path(worker, file)));
          }
        }
      }
      System.out.println("acknowledged " + sum + ", refused " + sumRefused);
      System.out.println("all of it is there");
    }

    /** A store that has refused looks for room after some milliseconds. */
    private byte[] readSoon(String path) throws InterruptedException {
      for (int tries = 0; ; tries++) {
        try {
          return store.readAllBytes(path);
        } catch (UpcallException.Busy again) {
          if (tries == 1000) {
            throw again;
          }
          Thread.sleep(10);
        }
      }
    }

    // ---------------------------------------------------------------- faces

    private Face face(String name) {
      return switch (name) {
        case "stages" -> new Stages(store.newStageFiles(Thread::startVirtualThread));
        case "async" -> new Async(store.newAsyncFiles());
        case "batches" -> new Blocking(Child::writeInBatch);
        case "handles" -> new Blocking(Child::writeByHandle);
        case "transactions" ->
            new Blocking(
                (files, path, bytes) ->
                    files.transact(
                        steps -> {
                          steps.write(path, bytes);
                          return bytes;
                        }));
        default -> new Blocking((files, path, bytes) -> files.write(path, bytes));
      };
    }

    /** The plan of so many takes more than the store keeps for what is small. */
    private static void writeInBatch(FsmUpcall files, String path, byte[] bytes) {
      List<FileRequest> all = new ArrayList<>();
      all.add(
          new FileRequest.Put(
              StorePath.of(path), new FileContent.Bytes(bytes), PutOptions.DEFAULT));
      String made = path + "-made-by-a-batch-of-very-many-requests";
      for (int i = 0; i < MANY; i++) {
        all.add(new FileRequest.CreateDirectory(StorePath.of(made + i)));
      }
      for (int i = 0; i < MANY; i++) {
        all.add(new FileRequest.Delete(StorePath.of(made + i)));
      }
      files.batch(all, Durability.SYNC);
    }

    private static void writeByHandle(FsmUpcall files, String path, byte[] bytes) {
      Upcall.RandomAccess handle = files.open(path, OpenMode.CREATE);
      try {
        handle.write(0, ByteBuffer.wrap(bytes));
        handle.flush();
      } finally {
        handle.abandon();
      }
    }

    /** How one writes. */
    private interface Writing {
      void write(FsmUpcall files, String path, byte[] bytes) throws Exception;
    }

    /** Calls that wait. */
    private final class Blocking implements Face {
      private final Writing writing;

      Blocking(Writing writing) {
        this.writing = writing;
      }

      @Override
      public void write(String path, byte[] bytes) throws Exception {
        writing.write(store, path, bytes);
      }

      @Override
      public byte[] read(String path) {
        return store.readAllBytes(path);
      }

      @Override
      public void list() {
        store.list("/", 100);
      }
    }

    /** Stages. */
    private record Stages(StageFiles files) implements Face {
      @Override
      public void write(String path, byte[] bytes) throws Exception {
        joined(files.write(path, bytes, PutOptions.DEFAULT).toCompletableFuture());
      }

      @Override
      public byte[] read(String path) throws Exception {
        return joined(files.readAllBytes(path).toCompletableFuture());
      }

      @Override
      public void list() throws Exception {
        joined(files.list("/", "", 100).toCompletableFuture());
      }

      private static <T> T joined(CompletableFuture<T> stage) throws Exception {
        return stage.get(60, TimeUnit.SECONDS);
      }
    }

    /** A door for one thread. */
    private static final class Async implements Face {
      private final AsyncFiles files;
      private Completion<?> last;

      Async(AsyncFiles files) {
        this.files = files;
      }

      @Override
      public void write(String path, byte[] bytes) throws Exception {
        last = null;
        files.write(StorePath.of(path), bytes, PutOptions.DEFAULT, made -> last = made);
        value();
      }

      @Override
      public byte[] read(String path) throws Exception {
        last = null;
        files.readAllBytes(StorePath.of(path), made -> last = made);
        return (byte[]) value();
      }

      @Override
      public void list() throws Exception {
        last = null;
        files.list("/", "", 100, (Completion<Listing> made) -> last = made);
        value();
      }

      private Object value() throws InterruptedException {
        while (last == null) {
          files.await(1);
        }
        return UpcallException.value(last);
      }
    }
  }
}
