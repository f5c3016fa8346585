package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.FsmUpcall;
import dev.upcall.Listing;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.jvm.ChildProgram;
import dev.upcall.request.FileRequest;
import dev.upcall.stage.StageFiles;
import dev.upcall.store.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A JVM whose heap is at its end: each request is answered or refused, none is forgotten, and the
 * store goes on. Each in a JVM of its own.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FullHeapTest {
  private static final String SMALL = "-Xmx48m";
  private static final int FILES = 20;
  private static final int FILE_BYTES = 3_000_000;
  private static final int ENTRIES = 4096;

  @TempDir Path folder;

  /** Together they are larger than the heap. */
  @Test
  void wholeReadsAtOnceByStages_waitForOneAnother() throws Exception {
    assertEquals(List.of("20 of 20 read", "it goes on"), child("stages"));
  }

  @Test
  void wholeReadsAtOnceByAsyncFiles_waitForOneAnother() throws Exception {
    assertEquals(List.of("20 of 20 read", "it goes on"), child("async"));
  }

  @Test
  void wholeReadsAtOnceByThreads_waitForOneAnother() throws Exception {
    assertEquals(List.of("20 of 20 read", "it goes on"), child("threads"));
  }

  /** The others go on when the door whose answers nobody drains is closed. */
  @Test
  void answersThatNobodyDrains_areGivenUpWithTheirDoor() throws Exception {
    assertEquals(List.of("read by another", "it goes on"), child("undrained"));
  }

  @Test
  void pagesThatCallersKeep_endNoStore() throws Exception {
    for (String face : List.of("blocking", "stages", "async", "manager")) {
      List<String> said = child("pages " + face);
      assertTrue(said.getFirst().startsWith("kept until "), said::toString);
      assertEquals(List.of("it goes on"), said.subList(1, said.size()), said::toString);
    }
  }

  /** Every stage completes and says why, whichever request met the end of the heap. */
  @Test
  void theStoresThreadEndsForWantOfMemory_allHearWhy() throws Exception {
    assertEquals(
        List.of("40 of 40 stages failed with the cause", "later calls too", "opens again"),
        child("dies"));
  }

  private List<String> child(String what) throws IOException, InterruptedException {
    Path volume = folder.resolve("volume" + what.hashCode() + ".upcall");
    List<String> arguments = new ArrayList<>(List.of(volume.toString()));
    arguments.addAll(List.of(what.split(" ")));
    return ChildProgram.said(
        folder,
        ChildProgram.command(
            List.of(SMALL, "--enable-native-access=ALL-UNNAMED"),
            ChildProgram.classPath(),
            Child.class,
            arguments));
  }

  /** The program of the other JVM. */
  static final class Child {
    private static final UpcallConfig CONFIG = UpcallConfig.DEFAULT.withMemoryBytes(16 << 20);

    private Child() {}

    public static void main(String[] arguments) throws Exception {
      Path volume = Path.of(arguments[0]);
      FsmUpcall store = Upcall.create(volume, CONFIG).fsm();
      switch (arguments[1]) {
        case "stages" -> readByStages(store);
        case "async" -> readByAsyncFiles(store);
        case "threads" -> readByThreads(store);
        case "undrained" -> readUndrained(store);
        case "pages" -> keepPages(store, arguments[2]);
        default -> {
          die(store, volume);
          return;
        }
      }
      writeSoon(store);
      assertEquals(100_000, store.readAllBytes("/after").length);
      store.close();
      System.out.println("it goes on");
    }

    /** A store that has refused looks for room after some milliseconds. */
    private static void writeSoon(FsmUpcall store) throws InterruptedException {
      for (int tries = 0; ; tries++) {
        try {
          store.write("/after", new byte[100_000]);
          return;
        } catch (UpcallException.Busy again) {
          if (tries == 1000) {
            throw again;
          }
          Thread.sleep(10);
        }
      }
    }

    // ---------------------------------------------------------------- whole reads

    private static void makeFiles(FsmUpcall store) {
      for (int i = 0; i < FILES; i++) {
        store.write("/f" + i, UpcallBehaviour.bytes(i, FILE_BYTES));
      }
    }

    private static void checkRead(int file, byte[] bytes) {
      assertArrayEquals(UpcallBehaviour.bytes(file, FILE_BYTES), bytes);
    }

    private static void readByStages(FsmUpcall store) {
      makeFiles(store);
      List<CompletableFuture<Void>> reads = new ArrayList<>();
      try (StageFiles files = store.newStageFiles(Thread::startVirtualThread)) {
        for (int i = 0; i < FILES; i++) {
          int file = i;
          reads.add(
              files
                  .readAllBytes("/f" + i)
                  .thenAccept(bytes -> checkRead(file, bytes))
                  .toCompletableFuture());
        }
        int read = 0;
        for (CompletableFuture<Void> each : reads) {
          each.orTimeout(60, TimeUnit.SECONDS).join();
          read++;
        }
        System.out.println(read + " of " + FILES + " read");
      }
    }

    private static void readByAsyncFiles(FsmUpcall store) throws InterruptedException {
      makeFiles(store);
      int[] read = new int[1];
      try (AsyncFiles files = store.newAsyncFiles()) {
        for (int i = 0; i < FILES; i++) {
          int file = i;
          files.readAllBytes(
              StorePath.of("/f" + i),
              bytes -> {
                checkRead(file, UpcallException.value(bytes));
                read[0]++;
              });
        }
        Thread.sleep(1000); // so that all that may be made at once is made
        while (files.outstanding() > 0) {
          files.await(1);
        }
      }
      System.out.println(read[0] + " of " + FILES + " read");
    }

    private static void readByThreads(FsmUpcall store) throws InterruptedException {
      makeFiles(store);
      int[] read = new int[1];
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        int file = i;
        readers.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      int length = store.readAllBytes("/f" + file).length;
                      synchronized (read) {
                        read[0] += length / FILE_BYTES;
                      }
                    }));
      }
      for (Thread reader : readers) {
        reader.join();
      }
      System.out.println(read[0] + " of " + FILES + " read");
    }

    private static void readUndrained(FsmUpcall store) throws InterruptedException {
      makeFiles(store);
      try (AsyncFiles files = store.newAsyncFiles()) {
        for (int i = 0; i < FILES; i++) {
          files.readAllBytes(StorePath.of("/f" + i), bytes -> {});
        }
        Thread.sleep(1000);
      }
      checkRead(1, store.readAllBytes("/f1"));
      System.out.println("read by another");
    }

    // ---------------------------------------------------------------- pages

    private static void keepPages(FsmUpcall store, String face) throws InterruptedException {
      for (int from = 0; from < ENTRIES; from += 64) {
        List<FileRequest> made = new ArrayList<>();
        for (int i = from; i < from + 64; i++) {
          StorePath path = StorePath.of("/a name of some length " + i);
          made.add(new FileRequest.CreateDirectory(path));
        }
        store.batch(made, Durability.ASYNC);
      }
      store.flush();
      List<Object> kept = new ArrayList<>();
      int count = 0;
      Throwable end = null;
      try (StageFiles stages = store.newStageFiles(Thread::startVirtualThread);
          AsyncFiles async = store.newAsyncFiles()) {
        Supplier<Object> page =
            switch (face) {
              case "blocking" -> () -> store.list("/", ENTRIES);
              case "stages" -> () -> joined(stages.list("/", "", ENTRIES).toCompletableFuture());
              case "manager" ->
                  () ->
                      UpcallException.value(
                          store.<Listing>await(
                              port -> store.fileManager().list("/", "", ENTRIES, port)));
              default -> () -> polled(async);
            };
        for (int full = 0; full < 20; ) {
          try {
            kept.add(page.get());
          } catch (OutOfMemoryError | UpcallException.Busy noRoom) {
            full++;
            end = noRoom; // what it says may take room
          }
        }
        count = kept.size();
        kept.clear(); // before anything is asked of the heap by this thread
      }
      if (!isAlive(store)) {
        System.out.println("dead behind " + count);
        System.exit(1);
      }
      System.out.println("kept until " + (count > 2 ? end : "too soon"));
    }

    private static boolean isAlive(FsmUpcall store) {
      return store.fileManager().dispatcher().failure().isEmpty();
    }

    private static <T> T joined(CompletableFuture<T> stage) {
      try {
        return stage.get(60, TimeUnit.SECONDS);
      } catch (java.util.concurrent.ExecutionException failed) {
        if (failed.getCause() instanceof Error error) {
          throw error;
        }
        throw (RuntimeException) failed.getCause();
      } catch (InterruptedException | TimeoutException forgotten) {
        throw new AssertionError(forgotten);
      }
    }

    private static Object polled(AsyncFiles files) {
      Object[] page = new Object[1];
      files.list("/", "", ENTRIES, found -> page[0] = UpcallException.value(found));
      try {
        while (files.outstanding() > 0) {
          files.await(1);
        }
      } catch (InterruptedException unexpected) {
        throw new AssertionError(unexpected);
      }
      return page[0];
    }

    // ---------------------------------------------------------------- the end

    /** Fills the heap on the store's own thread, which has stages to answer then. */
    private static void die(FsmUpcall store, Path volume) throws InterruptedException {
      store.write("/kept", new byte[] {1, 2, 3});
      int count = 40;
      List<CompletableFuture<?>> asked = new ArrayList<>();
      AtomicBoolean full = new AtomicBoolean();
      AtomicBoolean emptied = new AtomicBoolean();
      StageFiles files = store.newStageFiles(Thread::startVirtualThread);
      store
          .fsm()
          .execute(
              () -> {
                while (!full.get()) {
                  Thread.onSpinWait();
                }
                try {
                  fill(new ArrayList<>());
                } finally {
                  emptied.set(true);
                }
              });
      for (int i = 0; i < count / 2; i++) {
        asked.add(files.write("/w" + i, new byte[10], PutOptions.DEFAULT).toCompletableFuture());
        asked.add(files.createDirectory("/d" + i).toCompletableFuture());
      }
      full.set(true);
      while (!emptied.get()) {
        Thread.onSpinWait(); // this thread asks for no memory while there is none
      }
      Map<String, Integer> heard = new TreeMap<>();
      for (CompletableFuture<?> each : asked) {
        String said;
        try {
          each.get(60, TimeUnit.SECONDS);
          said = "done";
        } catch (java.util.concurrent.ExecutionException | CompletionException failed) {
          said = isCause(failed.getCause()) ? "cause" : failed.toString();
        } catch (TimeoutException forgotten) {
          said = "forgotten";
        }
        heard.merge(said, 1, Integer::sum);
      }
      System.out.println(
          heard.equals(Map.of("cause", count))
              ? count + " of " + count + " stages failed with the cause"
              : heard);
      try {
        store.list("/", 10);
      } catch (DispatcherStoppedException dead) {
        System.out.println(isCause(dead) ? "later calls too" : dead.toString());
      }
      try {
        store.close();
      } catch (DispatcherStoppedException dead) {
        assertTrue(isCause(dead), dead::toString);
      }
      try (Upcall again = Upcall.open(volume, CONFIG)) {
        assertArrayEquals(new byte[] {1, 2, 3}, again.readAllBytes("/kept"));
        System.out.println("opens again");
      }
    }

    private static boolean isCause(Throwable heard) {
      return heard instanceof DispatcherStoppedException
          && heard.getCause() instanceof OutOfMemoryError
          && heard.getMessage().contains("-Xmx");
    }

    /** To the last byte; what is kept is let go of with this thread's stack. */
    private static void fill(List<Object> kept) {
      int bytes = 1 << 20;
      while (true) {
        try {
          kept.add(new byte[bytes]);
        } catch (OutOfMemoryError noRoom) {
          if (bytes <= 16) {
            throw noRoom;
          }
          bytes /= 2;
        }
      }
    }
  }
}
