package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncFiles;
import dev.upcall.FileContent;
import dev.upcall.FsmUpcall;
import dev.upcall.LinkPolicy;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.UpcallTransaction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.LockConfig;
import dev.upcall.config.RetryConfig;
import dev.upcall.request.FileRequest;
import dev.upcall.store.TransactionConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What failures say to who embeds the store: in his words, of his paths, whoever serves. */
class MessagesTest {
  @TempDir Path folder;

  private Path volume() {
    return folder.resolve("volume.upcall");
  }

  private static String told(Class<? extends Failure> kind, Executable call) {
    Failure failure = assertThrows(UpcallException.class, call).failure();
    return assertInstanceOf(kind, failure, failure.message()).message();
  }

  @ParameterizedTest
  @EachEngine
  void aBatchThatIsTooLargeIsCountedInRequests(TestedStore tested) {
    try (Upcall store = Upcall.create(volume(), tested.config())) {
      List<FileRequest> requests = new ArrayList<>();
      for (int i = 0; i < 5000; i++) {
        requests.add(new FileRequest.Delete(StorePath.of("/f" + i)));
      }
      assertEquals(
          "the batch is too large: 5000 requests, the limit is 4096",
          told(Failure.TooLarge.class, () -> store.batch(requests)));
    }
  }

  /** Bytes are limited, of which these have few. */
  @ParameterizedTest
  @EachEngine
  void aBatchOfManyTinyFilesIsNotTooLarge(TestedStore tested) {
    try (Upcall store = Upcall.create(volume(), tested.config())) {
      List<FileRequest> requests = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        requests.add(
            new FileRequest.Put(
                StorePath.of("/f" + i),
                new FileContent.Bytes(new byte[] {(byte) i}),
                PutOptions.DEFAULT));
      }
      store.batch(requests);
      assertEquals((byte) 999, store.readAllBytes("/f999")[0]);
    }
  }

  @ParameterizedTest
  @EachEngine
  void aMissingFolderIsNamed(TestedStore tested) {
    Path missing = folder.resolve("no").resolve("folder");
    Path volume = missing.resolve("volume.upcall");
    String words = "folder " + missing + " does not exist";
    assertEquals(words, told(Failure.NotFound.class, () -> Upcall.create(volume, tested.config())));
    assertEquals(
        words, told(Failure.NotFound.class, () -> Upcall.openOrCreate(volume, tested.config())));
    assertEquals(words, told(Failure.NotFound.class, () -> Upcall.open(volume, tested.config())));
    assertEquals(
        "volume " + volume() + " does not exist",
        told(Failure.NotFound.class, () -> Upcall.open(volume(), tested.config())));
  }

  /** A volume is made under another name, of which nobody needs to know. */
  @ParameterizedTest
  @EachEngine
  void whatIsMadeIsCalledByItsOwnName(TestedStore tested) throws IOException {
    Path unwritable = Path.of("/proc/volume.upcall");
    String refused =
        assertThrows(UpcallException.class, () -> Upcall.create(unwritable, tested.config()))
            .getMessage();
    assertTrue(refused.startsWith("making " + unwritable + " failed: "), refused);
    assertFalse(refused.contains(".new"), refused);
    Path unfinished = Files.createDirectory(folder.resolve("volume.upcall.new"));
    String taken = told(Failure.Device.class, () -> Upcall.create(volume(), tested.config()));
    assertTrue(taken.startsWith("making volume " + volume() + " failed: "), taken);
    assertTrue(taken.contains(unfinished.getFileName() + ", left of an earlier attempt"), taken);
    Files.delete(unfinished);
    Upcall.create(volume(), tested.config()).close();
    assertEquals(
        volume() + " already exists",
        told(Failure.AlreadyExists.class, () -> Upcall.create(volume(), tested.config())));
  }

  /** A path that names nothing on the host makes and opens nothing there. */
  @ParameterizedTest
  @EachEngine
  void aVolumeIsAFileOfTheHost(TestedStore tested) throws IOException {
    try (Upcall store = Upcall.create(volume(), tested.config())) {
      Path inside = store.fileSystem().getPath(folder.resolve("inside.upcall").toString());
      String words =
          inside
              + " is a path of another file system (upcall), and a volume is a file or a device of"
              + " the host";
      assertEquals(
          words, told(Failure.Invalid.class, () -> Upcall.create(inside, tested.config())));
      assertEquals(
          words, told(Failure.Invalid.class, () -> Upcall.openOrCreate(inside, tested.config())));
      assertEquals(words, told(Failure.Invalid.class, () -> Upcall.open(inside, tested.config())));
      assertFalse(Files.exists(folder.resolve("inside.upcall")));
    }
    assertEquals(
        "the path of the volume is empty",
        told(Failure.Invalid.class, () -> Upcall.openOrCreate(Path.of(""), tested.config())));
  }

  /** What is no volume is left as it is, and said to be none. */
  @ParameterizedTest
  @EachEngine
  void whatIsNoVolumeIsLeftAsItIs(TestedStore tested) throws IOException {
    byte[] page = UpcallBehaviour.bytes(7, 1 << 20);
    Path other = Files.write(folder.resolve("photo.jpg"), page);
    assertEquals(
        other + " is not an Upcall volume; it was left as it is",
        told(Failure.Invalid.class, () -> Upcall.openOrCreate(other, tested.config())));
    assertArrayEquals(page, Files.readAllBytes(other));
    Path cut = Files.writeString(folder.resolve("notes.txt"), "no volume");
    assertEquals(
        cut
            + " has 9 bytes, which is not a whole number of 4096-byte blocks: it was cut short, or"
            + " is not a volume; opened read-only, it shows what is left of one",
        told(Failure.Invalid.class, () -> Upcall.openOrCreate(cut, tested.config())));
    assertEquals(
        folder + " is a directory",
        told(Failure.IsADirectory.class, () -> Upcall.openOrCreate(folder, tested.config())));
  }

  @ParameterizedTest
  @EachEngine
  void aSecondStoreIsToldWhoHasTheVolume(TestedStore tested) {
    try (Upcall store = Upcall.create(volume(), tested.config())) {
      assertEquals(
          "volume %s is in use by another store in this process; nothing was changed"
              .formatted(volume()),
          told(Failure.Conflict.class, () -> Upcall.open(volume(), tested.config())));
      store.writeString("/f", "goes on");
    }
  }

  /** Whoever was interrupted before makes, opens and closes a store, and stays interrupted. */
  @ParameterizedTest
  @EachEngine
  void anInterruptIsKeptForTheCaller(TestedStore tested) {
    Thread.currentThread().interrupt();
    try (Upcall store = Upcall.create(volume(), tested.config())) {
      store.writeString("/f", "text");
      assertEquals("text", store.readString("/f"));
    }
    try (Upcall again = Upcall.open(volume(), tested.config())) {
      assertEquals("text", again.readString("/f"));
    }
    assertTrue(Thread.interrupted());
  }

  private UpcallConfig impatient(TestedStore tested) {
    LockConfig locks = LockConfig.DEFAULT;
    return tested
        .config()
        .withTransactions(
            new TransactionConfig(
                8,
                60_000_000_000L,
                new LockConfig(1_000_000, locks.maxLocksPerOwner(), locks.maxLocks()),
                RetryConfig.DEFAULT));
  }

  @ParameterizedTest
  @EnumSource(names = {"RING", "CHANNEL"})
  void whoWaitsForALockIsToldThePathAndTheHolder(TestedStore tested) {
    try (FsmUpcall store = Upcall.create(volume(), impatient(tested)).fsm()) {
      store.createDirectory("/d");
      store.write("/d/f", new byte[3]);
      store.write("/d/g", new byte[3]);
      try (UpcallTransaction holder = store.begin();
          UpcallTransaction other = store.begin()) {
        holder.write("/d/f", new byte[4]);
        String held = "waited 1 ms for a lock on /d/f, held by transaction 1; try again";
        assertEquals(held, told(Failure.LockTimeout.class, () -> store.write("/d/f", new byte[5])));
        assertEquals(held, told(Failure.LockTimeout.class, () -> store.delete("/d/f")));
        assertEquals(
            held,
            told(
                Failure.LockTimeout.class,
                () ->
                    store.batch(
                        List.of(
                            new FileRequest.CreateDirectory(StorePath.of("/e")),
                            new FileRequest.SetMetadata(
                                StorePath.of("/d/f"), LinkPolicy.FOLLOW, MetadataChange.NONE)))));
        assertEquals(held, told(Failure.LockTimeout.class, () -> other.write("/d/f", new byte[5])));
        Upcall.RandomAccess handle = store.open("/d/f", OpenMode.EXISTING);
        handle.write(0, ByteBuffer.wrap(new byte[1]));
        assertEquals(held, told(Failure.LockTimeout.class, handle::flush));
        handle.abandon();
        holder.delete("/d/g");
        assertEquals(
            "waited 1 ms for a lock on /d/g, held by transaction 1; try again",
            told(
                Failure.LockTimeout.class,
                () ->
                    store.batch(
                        List.of(
                            new FileRequest.Delete(StorePath.of("/d/f")),
                            new FileRequest.Delete(StorePath.of("/d/g"))))));
        holder.commit();
        assertEquals(
            "transaction 2: somebody else has changed /d/f (put /d/f) since it began; do it again",
            told(Failure.Conflict.class, () -> other.write("/d/f", new byte[5])));
      }
    }
  }

  @ParameterizedTest
  @EachEngine
  void aHandleSpeaksOfThePathThatItWasOpenedBy(TestedStore tested) {
    try (Upcall store = Upcall.create(volume(), tested.config())) {
      store.createDirectory("/d");
      store.write("/d/f", new byte[3]);
      Upcall.RandomAccess handle = store.open("/d/f", OpenMode.EXISTING);
      handle.write(0, ByteBuffer.wrap(new byte[1]));
      store.delete("/d/f");
      assertEquals("/d/f does not exist", told(Failure.NotFound.class, handle::flush));
      handle.abandon();
      assertEquals(
          "the file opened as /d/f is closed",
          told(Failure.Closed.class, () -> handle.write(0, ByteBuffer.wrap(new byte[1]))));
    }
  }

  @Test
  void whatIsMissingIsNamed() {
    try (Upcall store = Upcall.create(volume(), TestedStore.RING.config())) {
      missing("path", () -> store.readAllBytes(nothing()));
      missing("path", () -> store.write(nothing(), new byte[1]));
      missing("path", () -> new FileRequest.Delete(nothing()));
      missing("volume", () -> Upcall.open(nothing(), store.config()));
      missing("config", () -> Upcall.open(volume(), nothing()));
      assertEquals(List.of(), store.list("/", 10).entries());
    }
  }

  private static void missing(String name, Executable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }

  /** What the compiler would refuse, and who embeds the store may still pass. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }

  @Test
  void anAsyncFaceKnowsItsThreadAndTellsOfRoom() throws InterruptedException {
    try (FsmUpcall store = Upcall.create(volume(), TestedStore.RING.config()).fsm();
        AsyncFiles files = store.newAsyncFiles()) {
      CountDownLatch blocked = new CountDownLatch(1);
      store.execute(() -> awaited(blocked));
      List<String> heard = new ArrayList<>();
      for (int i = 0; i < AsyncFiles.MAX_INSIDE; i++) {
        files.flush(_ -> {});
      }
      files.flush(refused -> heard.add(((Completion.Failed<Unit>) refused).failure().message()));
      files.whenRoom(_ -> heard.add("room for " + files.outstanding()));
      assertEquals(1, files.poll(1));
      assertEquals(
          List.of("too many requests at once (async files: at most 1024); try again"), heard);
      Thread other =
          Thread.ofPlatform()
              .name("the other")
              .start(
                  () -> {
                    String told =
                        assertThrows(IllegalStateException.class, () -> files.poll(1)).getMessage();
                    heard.add(told.contains("the other") ? "refused" : told);
                  });
      other.join();
      assertEquals("refused", heard.getLast());
      blocked.countDown();
      while (files.outstanding() > 0) {
        files.await(64);
      }
      assertEquals(3, heard.size(), heard::toString);
      assertTrue(heard.getLast().startsWith("room for "), heard::toString);
    }
  }

  @Test
  void aClosedAsyncFaceSaysSo() {
    try (FsmUpcall store = Upcall.create(volume(), TestedStore.RING.config()).fsm()) {
      AsyncFiles files = store.newAsyncFiles();
      files.close();
      List<String> heard = new ArrayList<>();
      files.exists(
          "/", found -> heard.add(((Completion.Failed<Boolean>) found).failure().message()));
      files.flush(late -> heard.add(((Completion.Failed<Unit>) late).failure().message()));
      assertEquals(2, files.poll(10));
      assertEquals(Collections.nCopies(2, "the door of async files is closed"), heard);
    }
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }
}
