package dev.upcall.nio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileManager;
import dev.upcall.FileRequest;
import dev.upcall.LinkPolicy;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that channels have made a moment ago, and requests to the store's thread, before which
 * nobody commits anything.
 */
class NewFilesAndDoorsTest {
  private static final UpcallConfig SMALL = UpcallConfig.DEFAULT.withMemoryBytes(16L << 20);

  /** Between each of them a file may have been committed already. */
  private static final int ROUNDS = 20;

  @TempDir Path folder;

  private Upcall store;
  private Path directory;

  @BeforeEach
  void open() throws IOException {
    store = Upcall.create(folder.resolve("s.upcall"), SMALL);
    directory = store.fileSystem().getPath("/d");
    Files.createDirectory(directory);
    Files.writeString(directory.resolve("warm"), "from now on it is known that there is room");
  }

  /** Would tell of a closed file that could not be made. */
  @AfterEach
  void close() throws IOException {
    force();
    store.close();
  }

  private void force() throws IOException {
    try (FileChannel any = FileChannel.open(directory.resolve("warm"), StandardOpenOption.WRITE)) {
      any.force(false);
    }
  }

  private <T> Completion<T> beside(Consumer<CompletionPort<T>> request) {
    CompletableFuture<Completion<T>> ended = new CompletableFuture<>();
    store.fsm().execute(() -> request.accept(ended::complete));
    return ended.join();
  }

  private Completion<?> beside(FileRequest request) {
    return this.<Optional<FileInfo>>beside(port -> files().change(request, port));
  }

  private FileManager files() {
    return store.fsm().fileManager();
  }

  private static FileRequest put(String path, String content, FileCondition condition) {
    FileContent bytes = new FileContent.Bytes(content.getBytes(UTF_8));
    return new FileRequest.Put(
        StorePath.of(path), bytes, PutOptions.DEFAULT.withCondition(condition));
  }

  private static void assertDone(Completion<?> completion) {
    assertInstanceOf(Completion.Done.class, completion);
  }

  private static void assertFailed(Class<? extends Failure> why, Completion<?> completion) {
    assertInstanceOf(why, assertInstanceOf(Completion.Failed.class, completion).failure());
  }

  @Test
  void whoTakesItsNameFindsItTaken() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Path file = Files.writeString(directory.resolve("f"), "made");
      assertFailed(Failure.AlreadyExists.class, beside(put("/d/f", "other", FileCondition.ABSENT)));
      assertEquals("made", Files.readString(file));
      Files.delete(file);
    }
  }

  @Test
  void whoReplacesItComesLater() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Path file = Files.writeString(directory.resolve("f"), "made");
      assertDone(beside(put("/d/f", "replaced", FileCondition.NONE)));
      force();
      assertEquals("replaced", Files.readString(file));
      Files.delete(file);
    }
  }

  @Test
  void whoAppendsToItFindsWhatIsThere() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Path file = Files.writeString(directory.resolve("f"), "made");
      byte[] more = " more".getBytes(UTF_8);
      assertDone(
          this.<FileInfo>beside(port -> files().append("/d/f", OpenMode.CREATE, more, port)));
      assertEquals("made more", Files.readString(file));
      Files.delete(file);
    }
  }

  @Test
  void whoMovesItOrDeletesItFindsIt() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Path file = Files.writeString(directory.resolve("f"), "made");
      StorePath name = StorePath.of("/d/f");
      StorePath other = StorePath.of("/d/g");
      assertFailed(
          Failure.DirectoryNotEmpty.class, beside(new FileRequest.Delete(StorePath.of("/d"))));
      assertDone(beside(new FileRequest.Rename(name, other, Existence.MUST_NOT_EXIST)));
      assertFalse(Files.exists(file));
      assertEquals("made", Files.readString(directory.resolve("g")));
      Files.writeString(file, "another");
      assertDone(beside(new FileRequest.Delete(name)));
      assertDone(beside(new FileRequest.Delete(other)));
      assertFalse(Files.exists(file));
    }
  }

  @Test
  void aChannelThatIsOpenWritesOnInWhatReplacedIt() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      Path file = directory.resolve("f");
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap("made".getBytes(UTF_8)));
        assertDone(beside(put("/d/f", "replaced", FileCondition.PRESENT)));
        channel.write(ByteBuffer.wrap("!".getBytes(UTF_8)));
        channel.force(false);
      }
      assertEquals("repl!ced", Files.readString(file));
      Files.delete(file);
    }
  }

  @Test
  void whileATransactionChangesNamesEachFileIsMadeAtOnce() throws IOException {
    Files.createDirectory(directory.resolveSibling("e"));
    try (UpcallTransaction transaction = store.fsm().begin()) {
      transaction.writeString("/e/t", "in the transaction");
      for (int i = 0; i < ROUNDS; i++) {
        Files.writeString(directory.resolve("f" + i), "made");
        StorePath name = StorePath.of("/d/f" + i);
        assertDone(this.<FileInfo>beside(port -> files().stat(name, LinkPolicy.NO_FOLLOW, port)));
      }
      transaction.commit();
    }
  }

  @Test
  void oneOnlyMakesAFileWhicheverDoorTheyTryAt() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 40; round++) {
        Path file = directory.resolve("f" + round);
        String name = "/d/f" + round;
        List<Callable<Boolean>> tries = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          tries.add(() -> hasMade(file));
          tries.add(
              () ->
                  beside(put(name, "beside", FileCondition.ABSENT)) instanceof Completion.Done<?>);
        }
        int made = 0;
        for (Future<Boolean> each : threads.invokeAll(tries)) {
          made += each.get() ? 1 : 0;
        }
        assertEquals(1, made, "round " + round);
        assertTrue(Files.exists(file));
        force();
      }
    }
  }

  private static boolean hasMade(Path file) throws IOException {
    try {
      Files.writeString(file, "made", StandardOpenOption.CREATE_NEW);
      return true;
    } catch (FileAlreadyExistsException other) {
      return false;
    }
  }

  @Test
  void whatManyDoorsAppendIsAllThere() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < ROUNDS; round++) {
        Path file = directory.resolve("f" + round);
        String name = "/d/f" + round;
        byte[] piece = {1};
        List<Callable<Void>> tries = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          tries.add(
              () -> {
                Files.write(file, piece, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                return null;
              });
          tries.add(
              () -> {
                assertDone(
                    this.<FileInfo>beside(
                        port -> files().append(name, OpenMode.CREATE, piece, port)));
                return null;
              });
        }
        for (Future<Void> each : threads.invokeAll(tries)) {
          each.get();
        }
        force();
        assertEquals(8, Files.size(file), "round " + round);
      }
    }
  }
}
