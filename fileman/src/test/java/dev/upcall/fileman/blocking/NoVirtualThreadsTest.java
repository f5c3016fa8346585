package dev.upcall.fileman.blocking;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.upcall.FsmUpcall;
import dev.upcall.Upcall;
import dev.upcall.stage.StageFiles;
import dev.upcall.trees.ImportOptions;
import dev.upcall.trees.Trees;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;

/** A JVM whose first virtual thread could not be started never has one: stores go on without. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NoVirtualThreadsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EachEngine
  void store_withoutVirtualThreads_doesAll(TestedStore tested) throws Exception {
    String classes = System.getProperty("surefire.test.class.path");
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djdk.virtualThreadScheduler.parallelism=none",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes == null ? System.getProperty("java.class.path") : classes,
                Child.class.getName(),
                folder.toString(),
                tested.name())
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int code = process.waitFor();
    List<String> said = Files.readAllLines(output, UTF_8);
    assertEquals(List.of("it goes on"), said);
    assertEquals(0, code);
  }

  /** The program of the other JVM. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws Exception {
      assertThrows(LinkageError.class, () -> Thread.startVirtualThread(() -> {}));
      Path folder = Path.of(arguments[0]);
      TestedStore tested = TestedStore.valueOf(arguments[1]);
      Files.createDirectory(folder.resolve("tree"));
      Files.writeString(folder.resolve("tree/f"), "imported");
      try (Upcall store = Upcall.create(folder.resolve("v.upcall"), tested.config())) {
        channels(store.fileSystem());
        if (store instanceof FsmUpcall asked) {
          stages(asked, Thread::startVirtualThread);
          stages(
              asked,
              _ -> {
                throw new AssertionError("the caller's own");
              });
        }
        Trees.importing(store, ImportOptions.of(folder.resolve("tree"), "/tree"))
            .start(Runnable::run)
            .get(60, TimeUnit.SECONDS);
        assertEquals("imported", store.readString("/tree/f"));
      }
      System.out.println("it goes on");
    }

    private static void stages(FsmUpcall store, Executor executor) throws Exception {
      try (StageFiles files = store.newStageFiles(executor)) {
        files.write("/staged", new byte[100_000]).toCompletableFuture().get(60, TimeUnit.SECONDS);
      }
      assertEquals(100_000, store.readAllBytes("/staged").length);
    }

    private static void channels(FileSystem files) throws Exception {
      Path file = files.getPath("/f");
      Files.writeString(file, "written");
      assertEquals("written", Files.readString(file));
      try (AsynchronousFileChannel channel =
          AsynchronousFileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        assertEquals(2, channel.write(ByteBuffer.wrap(new byte[2]), 0).get(60, TimeUnit.SECONDS));
        CompletableFuture<Integer> told = new CompletableFuture<>();
        channel.read(
            ByteBuffer.allocate(7),
            0,
            null,
            new CompletionHandler<Integer, Object>() {
              @Override
              public void completed(Integer count, Object attachment) {
                told.complete(count);
              }

              @Override
              public void failed(Throwable failure, Object attachment) {
                told.completeExceptionally(failure);
              }
            });
        assertEquals(7, told.get(60, TimeUnit.SECONDS));
      }
    }
  }
}
