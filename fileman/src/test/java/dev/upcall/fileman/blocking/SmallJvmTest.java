package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.jvm.ChildProgram;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A JVM with little memory, or without io_uring, opens a store with the default; more than it has
 * is refused in time.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SmallJvmTest {
  private static final int FILES = 60;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xmx32m",
        "-Xmx64m",
        "-Xmx128m",
        "-Xmx1g -XX:MaxDirectMemorySize=48m",
        "-Xmx128m -Dio.netty.transport.noNative=true"
      })
  void theDefaultOpensAndWorks(String options) throws Exception {
    assertEquals(List.of("done"), child(options, "works"));
  }

  @Test
  void whatDoesNotFitIsRefusedBeforeAFileIsMade() throws Exception {
    List<String> said = child("-Xmx64m", "toomuch");
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.getFirst().contains("give the store " + (64L << 20)), said::toString);
    assertFalse(Files.exists(folder.resolve("volume.upcall")));
    assertFalse(Files.exists(folder.resolve("volume.upcall.new")));
  }

  /** The store's thread does not make what the heap has no room for, and lives on. */
  @Test
  void aFileLargerThanTheHeapIsRefusedAtEachDoor() throws Exception {
    String busy =
        "too many bytes for the heap (500000000 of /large); read ranges, or give the JVM more"
            + " (-Xmx)";
    assertEquals(
        List.of(busy, busy, busy, busy, "300000 bytes, and it goes on"), child("-Xmx64m", "large"));
  }

  @Test
  void aJvmThatIsTooSmallForAnyStoreIsSaid() throws Exception {
    List<String> said = child("-Xmx8m", "least");
    assertTrue(
        said.getFirst()
            .endsWith("no store has less: give the JVM more (-Xmx, -XX:MaxDirectMemorySize)"),
        said::toString);
  }

  /** As a program does that uses direct memory without a limit of its own. */
  @ParameterizedTest
  @EachEngine
  void directMemoryThatOthersHaveUsedUpEndsNothing(TestedStore tested) throws Exception {
    assertEquals(
        List.of("it goes on"), child("-Xmx256m -XX:MaxDirectMemorySize=96m", "usedup " + tested));
  }

  /** Files that others have open leave a store 20. */
  @Test
  void tooFewDescriptorsAreSaid() throws Exception {
    List<String> said = child("-XX:-MaxFDLimit", "descriptors");
    assertEquals(1, said.size(), said::toString);
    assertTrue(said.getFirst().contains("(ulimit -n) and has "), said::toString);
    assertTrue(
        said.getFirst().endsWith("a store takes up to 32 more; raise the limit"), said::toString);
    assertFalse(Files.exists(folder.resolve("volume.upcall")));
  }

  /** It is no full device: nobody can make room there. */
  @ParameterizedTest
  @EachEngine
  void aLimitOfFileSizesIsSaid(TestedStore tested) throws Exception {
    List<String> said = child("-Xmx256m", "full " + tested);
    assertEquals(1, said.size(), said::toString);
    String message = said.getFirst();
    assertTrue(
        message.startsWith(
            "the file of volume " + folder.resolve("volume.upcall") + " is as large"),
        message);
    assertTrue(message.contains(" (ulimit -f) "), message);
    assertFalse(message.contains(" cap "), message);
  }

  private List<String> child(String options, String what) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (what.startsWith("full") || what.startsWith("descriptors")) {
      command.addAll(
          List.of("/bin/sh", "-c", "ulimit -n 512; ulimit -f 300000; exec \"$@\"", "sh"));
    }
    List<String> flags = new ArrayList<>(List.of(options.split(" ")));
    flags.add("--enable-native-access=ALL-UNNAMED");
    List<String> arguments = new ArrayList<>(List.of(folder.resolve("volume.upcall").toString()));
    arguments.addAll(List.of(what.split(" ")));
    command.addAll(ChildProgram.command(flags, ChildProgram.classPath(), Child.class, arguments));
    return ChildProgram.said(folder, command);
  }

  /** The program of the other JVM. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws IOException {
      Path volume = Path.of(arguments[0]);
      switch (arguments[1]) {
        case "works" -> {
          work(volume);
          System.out.println("done");
        }
        case "toomuch" -> {
          try {
            Upcall.create(volume, UpcallConfig.DEFAULT.withMemoryBytes(256 << 20)).close();
          } catch (UpcallException refused) {
            System.out.println(((Failure.Invalid) refused.failure()).message());
          }
        }
        case "large" -> readLarge(volume);
        case "descriptors" -> leaveFew(20, volume);
        case "usedup" -> useUp(volume, TestedStore.valueOf(arguments[2]));
        case "least" -> {
          try {
            Upcall.create(volume, UpcallConfig.DEFAULT.withMemoryBytes(16 << 20)).close();
          } catch (UpcallException refused) {
            System.out.println(((Failure.Invalid) refused.failure()).message());
          }
        }
        default -> fill(volume, TestedStore.valueOf(arguments[2]));
      }
    }

    private static void readLarge(Path volume) {
      try (FsmUpcall store = Upcall.create(volume, UpcallConfig.DEFAULT).fsm();
          AsyncFiles files = store.newAsyncFiles()) {
        store.writeString("/large", "begins");
        store.truncate("/large", 500_000_000);
        try {
          System.out.println(store.readAllBytes("/large").length);
        } catch (UpcallException.Busy noRoom) {
          System.out.println(noRoom.getMessage());
        }
        store
            .newStageFiles(Thread::startVirtualThread)
            .readAllBytes("/large")
            .handle((_, failed) -> ((UpcallException) failed).failure().message())
            .thenAccept(System.out::println)
            .toCompletableFuture()
            .join();
        Completion<String> onItsThread =
            store.await(port -> store.fileManager().readString("/large", port));
        System.out.println(((Completion.Failed<String>) onItsThread).failure().message());
        files.readString(
            "/large",
            read -> System.out.println(((Completion.Failed<String>) read).failure().message()));
        while (files.outstanding() > 0) {
          files.await(1);
        }
        store.write("/small", new byte[300_000]);
        System.out.println(store.readAllBytes("/small").length + " bytes, and it goes on");
      } catch (InterruptedException unexpected) {
        throw new AssertionError(unexpected);
      }
    }

    private static void leaveFew(int count, Path volume) throws IOException {
      List<FileInputStream> open = new ArrayList<>();
      UpcallConfig config = UpcallConfig.DEFAULT;
      try {
        while (true) {
          open.add(new FileInputStream("/dev/null"));
        }
      } catch (FileNotFoundException noMore) {
        for (FileInputStream each : open.subList(0, count)) {
          each.close();
        }
      }
      try {
        Upcall.create(volume, config).close();
      } catch (UpcallException refused) {
        System.out.println(((Failure.Device) refused.failure()).message());
      }
    }

    /**
     * Takes longer than a look at the volume's epoch is believed: one refusal takes half a second.
     */
    private static void useUp(Path volume, TestedStore tested) {
      List<ByteBuffer> others = new ArrayList<>();
      try (Upcall store = Upcall.create(volume, tested.config().withMemoryBytes(32 << 20))) {
        for (int bytes = 1 << 20; bytes >= 16; bytes /= 4) {
          try {
            while (true) {
              others.add(ByteBuffer.allocateDirect(bytes));
            }
          } catch (OutOfMemoryError usedUp) {
            store.write("/before", new byte[10]);
          }
        }
        for (int i = 0; i < 100; i++) {
          store.write("/f" + i, UpcallBehaviour.bytes(i, 10_000 * i));
        }
        store.checkpoint();
        for (int i = 0; i < 100; i++) {
          assertArrayEquals(UpcallBehaviour.bytes(i, 10_000 * i), store.readAllBytes("/f" + i));
        }
      }
      assertTrue(others.size() > 1);
      System.out.println("it goes on");
    }

    private static void fill(Path volume, TestedStore tested) {
      try (Upcall store = Upcall.create(volume, tested.config().withCapBytes(1L << 30))) {
        for (int i = 0; i < 800; i++) {
          store.write("/f" + i, UpcallBehaviour.bytes(i, 1_000_000));
        }
      } catch (UpcallException refused) {
        System.out.println(((Failure.VolumeFull) refused.failure()).message());
      }
    }

    /** Several times what the memory holds. */
    private static void work(Path volume) {
      UpcallConfig config = UpcallConfig.DEFAULT.withCapBytes(1L << 30);
      try (Upcall store = Upcall.openOrCreate(volume, config)) {
        for (int i = 0; i < FILES; i++) {
          store.write("/f" + i, UpcallBehaviour.bytes(i, 2_000_000));
        }
      }
      try (Upcall store = Upcall.open(volume, config)) {
        for (int i = 0; i < FILES; i++) {
          assertArrayEquals(UpcallBehaviour.bytes(i, 2_000_000), store.readAllBytes("/f" + i));
        }
      }
    }
  }
}
