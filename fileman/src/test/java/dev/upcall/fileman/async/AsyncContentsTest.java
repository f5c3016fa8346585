package dev.upcall.fileman.async;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.AsyncChanges;
import dev.upcall.AsyncFiles;
import dev.upcall.AsyncReads;
import dev.upcall.AsyncSnapshot;
import dev.upcall.AsyncTransaction;
import dev.upcall.BatchResult;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FsmUpcall;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallException;
import dev.upcall.UpcallReads;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.fileman.blocking.TestedStore;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.store.SnapshotInfo;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contents through the door of a program on a thread of its own. */
class AsyncContentsTest {
  @TempDir Path folder;

  private FsmUpcall create() {
    return Upcall.create(folder.resolve("v.upcall"), TestedStore.RING.config()).fsm();
  }

  private static <T> T get(AsyncFiles files, Consumer<CompletionPort<T>> request) {
    List<Completion<T>> answer = new ArrayList<>();
    request.accept(answer::add);
    try {
      while (answer.isEmpty()) {
        files.await(64);
      }
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
    return UpcallException.value(answer.getFirst());
  }

  private static Unit unit(AsyncFiles files, Consumer<CompletionPort<Unit>> request) {
    return get(files, request);
  }

  private static FileInfo file(AsyncFiles files, Consumer<CompletionPort<FileInfo>> request) {
    return get(files, request);
  }

  private static byte[] array(AsyncFiles files, Consumer<CompletionPort<byte[]>> request) {
    return get(files, request);
  }

  private static String text(AsyncFiles files, Consumer<CompletionPort<String>> request) {
    return get(files, request);
  }

  private static Boolean truth(AsyncFiles files, Consumer<CompletionPort<Boolean>> request) {
    return get(files, request);
  }

  private static Long number(AsyncFiles files, Consumer<CompletionPort<Long>> request) {
    return get(files, request);
  }

  private static AsyncChanges.Handle handle(
      AsyncFiles files, Consumer<CompletionPort<AsyncChanges.Handle>> request) {
    return get(files, request);
  }

  private static AsyncChanges.Put begun(
      AsyncFiles files, Consumer<CompletionPort<AsyncChanges.Put>> request) {
    return get(files, request);
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_536, 65_537, 700_001, 3 << 20})
  void aFileIsWrittenAndReadWhole(int size) {
    byte[] content = bytes(size);
    try (FsmUpcall store = create();
        AsyncFiles files = store.newAsyncFiles()) {
      FileInfo written = file(files, port -> files.write("/f", content, port));
      assertEquals(size, written.sizeBytes());
      assertArrayEquals(content, array(files, port -> files.readAllBytes("/f", port)));
      assertArrayEquals(content, store.readAllBytes("/f"));
      AsyncTransaction change = get(files, files::begin);
      file(files, port -> change.write("/g", content, PutOptions.DEFAULT, port));
      assertArrayEquals(content, array(files, port -> change.readAllBytes("/g", port)));
      assertFalse(truth(files, port -> files.exists("/g", port)));
      number(files, port -> change.commit(Durability.SYNC, port));
      assertArrayEquals(content, store.readAllBytes("/g"));
    }
  }

  /**
   * What is open reads on in its version, also in transactions and snapshots, until it is closed.
   */
  @Test
  void oneVersionIsRead() {
    byte[] old = bytes(700_001);
    try (FsmUpcall store = create();
        AsyncFiles files = store.newAsyncFiles()) {
      store.write("/f", old);
      AsyncSnapshot snapshot = get(files, files::snapshot);
      AsyncTransaction change = get(files, files::begin);
      List<AsyncReads> faces = List.of(files, snapshot, change);
      List<AsyncReads.Content> versions = new ArrayList<>();
      for (AsyncReads face : faces) {
        versions.add(get(files, port -> face.read("/f", port)));
      }
      store.write("/f", bytes(10));
      store.delete("/f");
      for (AsyncReads.Content version : versions) {
        assertEquals(old.length, version.info().sizeBytes());
        assertArrayEquals(old, all(files, version));
        assertThrows(
            UpcallException.Invalid.class,
            () -> array(files, port -> version.read(0, AsyncReads.MAX_READ_BYTES + 1, port)));
        unit(files, version::close);
        assertThrows(
            UpcallException.Closed.class, () -> array(files, port -> version.read(0, 1, port)));
      }
      assertThrows(UpcallException.NotFound.class, () -> opened(files, "/f"));
      store.append("/huge", new byte[1]);
      store.truncate("/huge", UpcallReads.MAX_ARRAY_BYTES + 1);
      assertThrows(
          UpcallException.TooLarge.class,
          () -> array(files, port -> files.readAllBytes("/huge", port)));
      store.createDirectory("/f");
      assertThrows(UpcallException.IsADirectory.class, () -> opened(files, "/f"));
      assertEquals(
          snapshot.scn(), AsyncContentsTest.<SnapshotInfo>get(files, snapshot::info).scn());
      unit(files, snapshot::close);
      unit(files, change::rollback);
    }
  }

  private static AsyncReads.Content opened(AsyncFiles files, String path) {
    return get(files, port -> files.read(path, port));
  }

  private static byte[] all(AsyncFiles files, AsyncReads.Content version) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] piece;
    do {
      piece = array(files, port -> version.read(all.size(), AsyncReads.MAX_READ_BYTES, port));
      all.writeBytes(piece);
    } while (piece.length > 0);
    return all.toByteArray();
  }

  /** Closing the store closes what a program has forgotten. */
  @Test
  void aVersionThatIsLeftOpenKeepsNobody() {
    try (FsmUpcall store = create();
        AsyncFiles files = store.newAsyncFiles()) {
      store.write("/f", bytes(700_001));
      assertEquals(700_001, opened(files, "/f").info().sizeBytes());
      assertEquals(store.config(), files.config());
    }
  }

  @Test
  void contentIsBroughtForABatch() {
    byte[] piece = bytes(200_000);
    try (FsmUpcall store = create();
        AsyncFiles files = store.newAsyncFiles()) {
      AsyncFiles.Stager stager = stager(files);
      for (int i = 0; i < 3; i++) {
        unit(files, port -> stager.append(ByteBuffer.wrap(piece), port));
      }
      StagedContent staged = get(files, stager::finish);
      assertThrows(
          UpcallException.Closed.class,
          () -> unit(files, port -> stager.append(ByteBuffer.wrap(piece), port)));
      FileRequest put =
          new FileRequest.Put(
              StorePath.of("/f"), new FileContent.Staged(staged), PutOptions.DEFAULT);
      get(files, (CompletionPort<BatchResult> port) -> files.batch(List.of(put), port));
      assertEquals(600_000, store.stat("/f").sizeBytes());
      AsyncFiles.Stager given = stager(files);
      unit(files, port -> given.append(ByteBuffer.wrap(piece), port));
      unit(files, given::abandon);
      StagedContent unused = get(files, stager(files)::finish);
      unit(files, port -> files.discard(unused, port));
      assertThrows(
          UpcallException.Closed.class, () -> get(files, given::finish), "what was given up");
    }
  }

  private static AsyncFiles.Stager stager(AsyncFiles files) {
    return get(files, files::stage);
  }

  @Test
  void whatCannotBeReadOrWrittenSaysWhy() {
    try (FsmUpcall store = create();
        AsyncFiles files = store.newAsyncFiles()) {
      assertThrows(
          UpcallException.NotFound.class,
          () -> array(files, port -> files.readAllBytes("/none", port)));
      assertThrows(
          UpcallException.IsADirectory.class,
          () -> array(files, port -> files.readAllBytes("/", port)));
      assertThrows(
          UpcallException.Invalid.class,
          () -> array(files, port -> files.readAllBytes("no path", port)));
      for (int size : new int[] {1, 100_000}) {
        assertThrows(
            UpcallException.NotFound.class,
            () -> file(files, port -> files.write("/none/f", bytes(size), port)));
      }
      file(files, port -> files.write("/b", new byte[] {(byte) 0xff}, port));
      assertThrows(
          UpcallException.Invalid.class, () -> text(files, port -> files.readString("/b", port)));
      assertThrows(
          UpcallException.Invalid.class,
          () -> file(files, port -> files.writeString("/h", "\ud83d", port)));
      assertFalse(truth(files, port -> files.exists("/b/below", port)));
      assertThrows(
          UpcallException.NotFound.class,
          () -> handle(files, port -> files.open("/none", OpenMode.EXISTING, port)));
      assertEquals(0, get(files, files::fileManagerInfo).handlesOpen());
      store.createSnapshot("then");
      assertEquals(1, get(files, files::snapshots).snapshots().size());
    }
  }

  @Test
  void textsAndAppendsAreWhatTheyAreElsewhere() {
    try (FsmUpcall store = create();
        AsyncFiles files = store.newAsyncFiles()) {
      file(files, port -> files.writeString("/t", "na\u00efve", port));
      file(files, port -> files.append("/t", "!".getBytes(UTF_8), port));
      assertEquals("na\u00efve!", text(files, port -> files.readString("/t", port)));
      assertTrue(truth(files, port -> files.exists("/t", port)));
      get(files, files::checkpoint);
      assertEquals(store.info().capBytes(), get(files, files::info).capBytes());
      // On the store's own thread they are there, too.
      Completion<FileInfo> inside =
          store.await(port -> store.fileManager().writeString("/inside", "x", port));
      assertEquals(1, UpcallException.value(inside).sizeBytes());
    }
  }

  @Test
  void aHandleCollectsAndCommits() {
    try (FsmUpcall store = create();
        AsyncFiles files = store.newAsyncFiles()) {
      AsyncChanges.Handle handle = handle(files, port -> files.open("/f", OpenMode.CREATE, port));
      unit(files, port -> handle.write(2, ByteBuffer.wrap("cd".getBytes(UTF_8)), port));
      assertEquals(4, get(files, handle::sizeBytes));
      assertEquals(0, array(files, port -> handle.read(0, 10, port)).length);
      unit(files, port -> handle.write(0, ByteBuffer.wrap("ab".getBytes(UTF_8)), port));
      unit(files, port -> handle.append(ByteBuffer.wrap("ef".getBytes(UTF_8)), port));
      unit(files, port -> handle.splice(1, 2, ByteBuffer.wrap("--".getBytes(UTF_8)), port));
      get(files, handle::flush);
      assertEquals("a--def", store.readString("/f"));
      assertEquals("--d", new String(array(files, port -> handle.read(1, 3, port)), UTF_8));
      assertThrows(
          UpcallException.Invalid.class, () -> array(files, port -> handle.read(0, 1 << 20, port)));
      unit(files, port -> handle.truncate(3, port));
      get(files, handle::close);
      assertEquals("a--", store.readString("/f"));
      assertThrows(UpcallException.Closed.class, () -> get(files, handle::flush));
      AsyncChanges.Handle given = handle(files, port -> files.open("/f", OpenMode.EXISTING, port));
      unit(files, port -> given.truncate(0, port));
      get(files, given::abandon);
      assertEquals(3, get(files, given::info).sizeBytes());
      assertEquals("a--", store.readString("/f"));
    }
  }

  @Test
  void aPutIsSeenWhenItIsCommitted() {
    try (FsmUpcall store = create();
        AsyncFiles files = store.newAsyncFiles()) {
      AsyncChanges.Put put = begun(files, port -> files.put("/f", PutOptions.DEFAULT, port));
      byte[] piece = bytes(200_000);
      for (int i = 0; i < 5; i++) {
        unit(files, port -> put.append(ByteBuffer.wrap(piece), port));
      }
      assertFalse(store.exists("/f"));
      assertEquals(1_000_000, file(files, port -> put.commit(port)).sizeBytes());
      get(files, put::abandon);
      assertEquals(1_000_000, store.stat("/f").sizeBytes());
      AsyncChanges.Put given = begun(files, port -> files.put("/g", PutOptions.DEFAULT, port));
      unit(files, port -> given.append(ByteBuffer.wrap(piece), port));
      get(files, given::abandon);
      assertThrows(UpcallException.class, () -> file(files, port -> given.commit(port)));
      assertFalse(store.exists("/g"));
    }
  }

  /** What a transaction is asked through handles and puts is done in the order of asking. */
  @Test
  void aTransactionKeepsTheOrderOfItsHandlesAndPuts() {
    try (FsmUpcall store = create();
        AsyncFiles files = store.newAsyncFiles()) {
      AsyncTransaction change = get(files, files::begin);
      AsyncChanges.Handle handle = handle(files, port -> change.open("/f", OpenMode.CREATE, port));
      AsyncChanges.Put put = begun(files, port -> change.put("/g", PutOptions.DEFAULT, port));
      List<Completion<Unit>> units = new ArrayList<>();
      List<Completion<FileInfo>> infos = new ArrayList<>();
      handle.append(ByteBuffer.wrap("one".getBytes(UTF_8)), units::add);
      handle.append(ByteBuffer.wrap("two".getBytes(UTF_8)), units::add);
      handle.close(units::add);
      put.append(ByteBuffer.wrap("three".getBytes(UTF_8)), units::add);
      put.commit(infos::add);
      number(files, port -> change.commit(Durability.SYNC, port));
      units.forEach(UpcallException::value);
      infos.forEach(UpcallException::value);
      assertEquals(List.of(4, 1), List.of(units.size(), infos.size()));
      assertEquals("onetwo", store.readString("/f"));
      assertEquals("three", store.readString("/g"));
      AsyncTransaction none = get(files, files::begin);
      file(files, port -> none.writeString("/h", "x", port));
      get(files, none::rollback);
      assertFalse(store.exists("/h"));
    }
  }

  @Test
  void allEntriesOfADirectoryComePageByPage() {
    try (FsmUpcall store = create();
        AsyncFiles files = store.newAsyncFiles()) {
      int entries = Listing.MAX_ENTRIES + 3;
      for (int from = 0; from < entries; from += 1000) {
        List<FileRequest> some = new ArrayList<>();
        for (int i = from; i < Math.min(from + 1000, entries); i++) {
          some.add(
              new FileRequest.SymbolicLink(
                  StorePath.of("/l%05d".formatted(i)), "x", MetadataChange.NONE));
        }
        store.batch(some);
      }
      List<String> names = new ArrayList<>();
      unit(files, port -> files.forEach("/", entry -> names.add(entry.name()), port));
      assertEquals(entries, names.size());
      assertEquals("l04098", names.getLast());
      assertThrows(
          UpcallException.NotFound.class,
          () -> unit(files, port -> files.forEach("/none", _ -> {}, port)));
    }
  }

  /** What a program leaves open goes with the store. */
  @Test
  void aStoreClosesOverWhatIsLeftOpen() {
    FsmUpcall store = create();
    AsyncFiles files = store.newAsyncFiles();
    AsyncChanges.Handle handle = handle(files, port -> files.open("/f", OpenMode.CREATE, port));
    unit(files, port -> handle.write(0, ByteBuffer.wrap(bytes(10)), port));
    AsyncChanges.Put put = begun(files, port -> files.put("/g", PutOptions.DEFAULT, port));
    unit(files, port -> put.append(ByteBuffer.wrap(bytes(100_000)), port));
    store.write("/large", bytes(3 << 20));
    for (int i = 0; i < 20; i++) {
      files.readAllBytes("/large", _ -> {});
      store.execute(() -> store.fileManager().readAllBytes("/large", _ -> {}));
    }
    files.close();
    store.close();
    try (Upcall again = Upcall.open(folder.resolve("v.upcall"), TestedStore.RING.config())) {
      assertEquals(0, again.stat("/f").sizeBytes());
      assertFalse(again.exists("/g"));
    }
  }
}
