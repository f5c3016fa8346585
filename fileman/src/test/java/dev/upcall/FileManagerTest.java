package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Listing.Direction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.StagedContent;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The file manager over the real store on a simulated machine. */
class FileManagerTest {
  private FilesFixture fixture = FilesFixture.create(1);

  @AfterEach
  void crashes() {
    fixture.close();
  }

  @Test
  void smallAndLargeFilesComeBack() {
    for (int size : new int[] {0, 1, 64, 65, 4096, 5000, 65536, 65537, 300_000}) {
      byte[] content = bytes(size);
      put("/f" + size, content);
      assertArrayEquals(content, fixture.read("/f" + size), "size " + size);
    }
    fixture = fixture.reopen();
    for (int size : new int[] {0, 1, 64, 65, 4096, 5000, 65536, 65537, 300_000}) {
      assertArrayEquals(bytes(size), fixture.read("/f" + size), "size " + size);
    }
  }

  @Test
  void completionsNeverComeInsideTheCall() {
    List<String> log = new ArrayList<>();
    FileManager files = fixture.files();
    StorePath path = StorePath.of("/x");
    files.stat(path, LinkPolicy.FOLLOW, _ -> log.add("stat"));
    files.list(path, "a".repeat(300), 1, _ -> log.add("list"));
    files.list(path, "", 0, _ -> log.add("list"));
    files.names(path, new Listing.Range(Direction.ASCENDING, 0), _ -> log.add("names"));
    files.batch(List.of(), dev.upcall.store.Durability.SYNC, _ -> log.add("batch"));
    files.batch(
        java.util.Collections.nCopies(101, new FileRequest.Delete(path)),
        dev.upcall.store.Durability.SYNC,
        _ -> log.add("batch"));
    assertEquals(List.of(), log);
    fixture.world().runUntil(() -> log.size() == 6);
  }

  @Test
  void anOpenFileKeepsItsVersion() {
    byte[] first = bytes(50_000);
    put("/f", first);
    OpenFile open =
        fixture.get(port -> fixture.files().openRead(path("/f"), FilesFixture.OWNER, port));
    put("/f", bytes(10));
    delete("/f");
    assertArrayEquals(first, fixture.read(open));
    open.close();
    OpenFile root =
        fixture.get(port -> fixture.files().openRead(path("/"), FilesFixture.OWNER, port));
    assertNull(root.content());
    assertTrue(root.info().isDirectory());
  }

  /** Found in memory: no completion. Not in memory, or in a snapshot: nothing has begun. */
  @Test
  void whatIsInMemoryIsOpenedAtOnce() {
    byte[] content = bytes(20_000);
    put("/d/f", content);
    OpenFile open = openedAtOnce("/d/f");
    assertEquals("f", open.info().name());
    delete("/d/f");
    assertArrayEquals(content, fixture.read(open));
    open.close();
    OpenFile directory = openedAtOnce("/d");
    assertNull(directory.content());
    assertTrue(directory.info().isDirectory());
    assertFailed(Failure.NotFound.class, tryOpen(fixture.files(), "/d/f"));
    FileManagerMetrics.Counts counts = fixture.files().metrics().of(FileOperation.OPEN_READ);
    assertEquals(3, counts.nanos().count());
    assertEquals(1, counts.failed());
    FileSnapshot snapshot = fixture.get(fixture.files()::snapshot);
    assertNull(tryOpen(snapshot, "/d"));
    snapshot.close();
    put("/g", content);
    // So many that the root of no tree, which an opening reads, is a leaf.
    for (int i = 0; i < 500; i++) {
      put("/many/" + i, new byte[1]);
    }
    fixture = fixture.reopen();
    assertNull(tryOpen(fixture.files(), "/g"), "its page is on the disk");
    assertEquals(0, fixture.files().fileManagerInfo().requestsInside());
    assertArrayEquals(content, fixture.read("/g"));
    openedAtOnce("/g").close();
    fixture.<Unit>get(fixture.files()::close);
    assertFailed(Failure.Closed.class, tryOpen(fixture.files(), "/g"));
  }

  private OpenFile openedAtOnce(String path) {
    if (tryOpen(fixture.files(), path) instanceof Completion.Done<OpenFile>(OpenFile open)) {
      return open;
    }
    throw new AssertionError("not opened at once: " + path);
  }

  private static Completion<OpenFile> tryOpen(FileReads files, String path) {
    return files.tryOpenRead(path(path), FilesFixture.OWNER);
  }

  /** What other doors offer for whole and small files is here, too; nothing is left open by it. */
  @Test
  void filesAreReadAndChangedWithoutAHandle() {
    byte[] content = bytes(700_001);
    String text = "b\u00e4r ".repeat(100_000);
    FileManager files = fixture.files();
    assertEquals(
        content.length,
        fixture.<FileInfo>get(port -> files.write("/f", content, port)).sizeBytes());
    fixture.<FileInfo>get(port -> files.writeString("/text", text, port));
    fixture.<FileInfo>get(port -> files.append("/huge", new byte[1], port));
    fixture.<FileInfo>get(port -> files.truncate("/huge", UpcallReads.MAX_ARRAY_BYTES + 1, port));
    fixture = fixture.reopen();
    FileManager reopened = fixture.files();
    assertArrayEquals(content, array(port -> reopened.readAllBytes("/f", port)));
    assertArrayEquals(
        Arrays.copyOfRange(content, 100, 5000),
        array(port -> reopened.read("/f", 100, 4900, port)));
    assertEquals(text, fixture.<String>get(port -> reopened.readString("/text", port)));
    assertFailed(
        Failure.Invalid.class, fixture.<String>await(port -> reopened.readString("/f", port)));
    assertFailed(
        Failure.TooLarge.class,
        fixture.<byte[]>await(port -> reopened.readAllBytes("/huge", port)));
    assertFailed(
        Failure.IsADirectory.class,
        fixture.<byte[]>await(port -> reopened.readAllBytes("/", port)));
    assertFailed(
        Failure.Invalid.class, fixture.<byte[]>await(port -> reopened.read("/f", 0, -1, port)));
    FileSnapshot before = fixture.get(reopened::snapshot);
    assertEquals(
        content.length + 3,
        fixture
            .<FileInfo>get(port -> reopened.append("/f", new byte[] {1, 2, 3}, port))
            .sizeBytes());
    assertEquals(2, fixture.<FileInfo>get(port -> reopened.truncate("/f", 2, port)).sizeBytes());
    assertArrayEquals(Arrays.copyOf(content, 2), array(port -> reopened.readAllBytes("/f", port)));
    assertArrayEquals(content, array(port -> before.readAllBytes("/f", port)));
    AsyncReads.Content version = fixture.get(port -> before.read("/f", port));
    before.close();
    assertArrayEquals(Arrays.copyOf(content, 4000), array(port -> version.read(0, 4000, port)));
    fixture.<Unit>get(version::close);
    assertFailed(Failure.Closed.class, fixture.<byte[]>await(port -> version.read(0, 4000, port)));
    assertEquals(0, reopened.fileManagerInfo().handlesOpen());
    assertEquals(0, reopened.fileManagerInfo().requestsInside());
    fixture.<Unit>get(reopened::checkpoint);
    assertEquals(reopened.store().info(), reopened.info());
  }

  /** Each waits for its array in line; closing waits for all, whatever turns they take. */
  @Test
  void manyLargeFilesAreReadAtOnce() {
    byte[] content = bytes(300_000);
    put("/f", content);
    FileManager files = fixture.files();
    List<String> heard = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      files.readAllBytes(
          "/f",
          read ->
              heard.add(
                  read instanceof Completion.Done<byte[]>(byte[] bytes)
                          && Arrays.equals(content, bytes)
                      ? "whole"
                      : read.toString()));
    }
    files.flush(
        _ -> {
          assertTrue(heard.size() < 30, "more than one turn");
          files.close(_ -> heard.add("closed"));
          files.readAllBytes("/f", late -> assertFailed(Failure.Closed.class, late));
        });
    fixture.world().runUntil(() -> heard.size() > 30);
    assertEquals(Collections.nCopies(30, "whole"), heard.subList(0, 30));
    assertEquals("closed", heard.getLast());
  }

  private byte[] array(Consumer<CompletionPort<byte[]>> request) {
    return fixture.get(request);
  }

  @Test
  void putHandlesStreamAndCommit() {
    PutHandle put = begin("/d/f", PutOptions.WITH_PARENTS);
    byte[] piece = bytes(40_000);
    for (int i = 0; i < 10; i++) {
      fixture.<Unit>get(port -> put.append(ByteBuffer.wrap(piece), port));
    }
    assertEquals(1, fixture.files().fileManagerInfo().handlesOpen());
    assertFailed(
        Failure.NotFound.class,
        fixture.<FileInfo>await(port -> fixture.files().stat(path("/d"), LinkPolicy.FOLLOW, port)));
    FileInfo info = fixture.<FileInfo>get(put::commit);
    assertEquals(400_000, info.sizeBytes());
    assertEquals(0, fixture.files().fileManagerInfo().handlesOpen());
    byte[] all = fixture.read("/d/f");
    assertArrayEquals(piece, Arrays.copyOfRange(all, 360_000, 400_000));
    assertFailed(Failure.Closed.class, fixture.<FileInfo>await(put::commit));
    put.abandon();
  }

  @Test
  void abandonedPutsGiveTheirSpaceBack() {
    put("/x", bytes(10));
    fixture.<Unit>get(fixture.files().store()::checkpoint);
    long free = fixture.files().store().info().freeBytes();
    for (int i = 0; i < 50; i++) {
      PutHandle put = begin("/f", PutOptions.DEFAULT);
      fixture.<Unit>get(port -> put.append(ByteBuffer.wrap(bytes(500_000)), port));
      put.abandon();
      fixture.world().runUntilIdle();
    }
    fixture.<Unit>get(fixture.files().store()::checkpoint);
    long freeAfter = fixture.files().store().info().freeBytes();
    assertTrue(freeAfter >= free - 100_000, () -> "free %d, then %d".formatted(free, freeAfter));
  }

  @Test
  void handlesWriteRanges() {
    FileHandle handle =
        fixture.get(port -> fixture.files().open(path("/f"), OpenMode.CREATE, port));
    fixture.<Unit>get(port -> handle.write(10, ByteBuffer.wrap("hello".getBytes()), port));
    fixture.<Unit>get(port -> handle.append(ByteBuffer.wrap(" world".getBytes()), port));
    assertEquals(0, fixture.stat("/f").sizeBytes());
    fixture.<Unit>get(handle::flush);
    assertEquals(21, fixture.stat("/f").sizeBytes());
    ContentSlice slice = fixture.get(port -> handle.read(10, 100, port));
    assertEquals(11, slice.sizeBytes());
    slice.release();
    fixture.<Unit>get(port -> handle.truncate(15, port));
    fixture.<Unit>get(handle::close);
    assertFailed(Failure.Closed.class, fixture.await(handle::flush));
    byte[] expected = new byte[15];
    System.arraycopy("hello".getBytes(), 0, expected, 10, 5);
    assertArrayEquals(expected, fixture.read("/f"));
    FileHandle again =
        fixture.get(
            port ->
                fixture
                    .files()
                    .open(
                        path("/f"),
                        new OpenMode(
                            Existence.ANY, Parents.MUST_EXIST, OpenMode.Existing.TRUNCATE, 0644),
                        port));
    assertEquals(0, again.info().sizeBytes());
    again.abandon();
    assertEquals(0, fixture.stat("/f").sizeBytes());
    assertFailed(
        Failure.AlreadyExists.class,
        fixture.<FileHandle>await(
            port -> fixture.files().open(path("/f"), OpenMode.CREATE_NEW, port)));
    assertFailed(
        Failure.NotFound.class,
        fixture.<FileHandle>await(
            port -> fixture.files().open(path("/g"), OpenMode.EXISTING, port)));
    assertFailed(
        Failure.IsADirectory.class,
        fixture.<FileHandle>await(port -> fixture.files().open(path("/"), OpenMode.CREATE, port)));
  }

  @Test
  void deletedTreesAreReclaimedAlsoAfterACrash() {
    for (int i = 0; i < 30; i++) {
      put("/t/d" + i % 5 + "/e" + i % 3 + "/f" + i, bytes(100 + i));
    }
    put("/keep", bytes(5000));
    int names = fixture.names();
    fixture.<Unit>get(port -> fixture.files().deleteTree(path("/t"), port));
    assertEquals(1, fixture.list("/", 10).size());
    fixture.world().runUntil(() -> fixture.files().fileManagerInfo().reclaimedEntries() > 5);
    fixture = fixture.crash();
    assertTrue(fixture.names() < names);
    fixture.reclaimEverything();
    assertEquals(1, fixture.names());
    assertEquals(2, fixture.inodes());
    assertEquals(0, fixture.orphans());
    assertEquals("", fixture.files().fileManagerInfo().reclaimFailure());
    assertArrayEquals(bytes(5000), fixture.read("/keep"));
  }

  @Test
  void largeDirectoriesAreListedByPages() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      String name = "n%02d".formatted(i);
      names.add(name);
      put("/d/" + name, bytes(i));
    }
    for (int page : new int[] {1, 7, 60, 61, 4096}) {
      List<FileInfo> listed = fixture.list("/d", page);
      assertEquals(names, listed.stream().map(FileInfo::name).toList());
      assertEquals(33, listed.get(33).sizeBytes());
    }
    Listing listing = fixture.get(port -> fixture.files().list(path("/d"), "n57", 10, port));
    assertEquals(2, listing.entries().size());
    assertFalse(listing.hasMore());
    Listing beyond = fixture.get(port -> fixture.files().list(path("/d"), "zzz", 10, port));
    assertTrue(beyond.entries().isEmpty());
    put("/c/before", bytes(1));
    put("/e/behind", bytes(1));
    for (int page : new int[] {1, 7, 60, 61, 4096}) {
      FileManager files = fixture.files();
      assertEquals(names, fixture.names(files, "/d", Direction.ASCENDING, page));
      assertEquals(names.reversed(), fixture.names(files, "/d", Direction.DESCENDING, page));
    }
    assertEquals(List.of("n58", "n59"), beyond("n57+", Direction.ASCENDING));
    assertEquals(List.of("n02", "n01", "n00"), beyond("n03", Direction.DESCENDING));
  }

  private List<String> beyond(String name, Direction direction) {
    Listing.Range range = new Listing.Range(direction, 10).withBeyond(name);
    Listing.Names found = fixture.get(port -> fixture.files().names(path("/d"), range, port));
    assertFalse(found.hasMore());
    return found.names();
  }

  @Test
  void failedBatchesFreeTheirContent() {
    fixture.<Unit>get(fixture.files().store()::checkpoint);
    for (int i = 0; i < 40; i++) {
      StagedContent large = stage(bytes(400_000));
      assertFailed(
          Failure.NotFound.class,
          fixture.batch(
              new FileRequest.Put(path("/a"), new FileContent.Staged(large), PutOptions.DEFAULT),
              new FileRequest.Put(
                  path("/b"), new FileContent.Bytes(bytes(30_000)), PutOptions.DEFAULT),
              new FileRequest.Delete(path("/missing"))));
    }
    assertEquals(0, fixture.names());
    put("/fits", bytes(1_000_000));
  }

  @Test
  void bytesOfBatchesAreBounded() {
    FileContent large = new FileContent.Bytes(new byte[(1 << 20) + 1]);
    assertFailed(
        Failure.TooLarge.class,
        fixture.batch(new FileRequest.Put(path("/a"), large, PutOptions.DEFAULT)));
    List<String> log = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      FileContent content = new FileContent.Bytes(bytes(20_000));
      fixture
          .files()
          .batch(
              List.of(new FileRequest.Put(path("/f" + i), content, PutOptions.DEFAULT)),
              dev.upcall.store.Durability.SYNC,
              completion -> log.add(completion.getClass().getSimpleName()));
    }
    fixture.world().runUntil(() -> log.size() == 12);
    assertEquals(12, fixture.names(), log::toString);
  }

  @Test
  void closingGivesUpWhatIsOpenAndRefusesTheRest() {
    PutHandle put = begin("/a", PutOptions.DEFAULT);
    fixture.<Unit>get(port -> put.append(ByteBuffer.wrap(bytes(200_000)), port));
    FileHandle handle =
        fixture.get(port -> fixture.files().open(path("/b"), OpenMode.CREATE, port));
    fixture.<Unit>get(port -> handle.append(ByteBuffer.wrap(bytes(100)), port));
    FileManager closed = fixture.files();
    fixture = fixture.reopen();
    assertEquals(0, fixture.stat("/b").sizeBytes());
    assertEquals(1, fixture.names());
    assertEquals(0, closed.fileManagerInfo().handlesOpen());
  }

  @Test
  void metadataAndPropertiesAreDurable() {
    put("/f", bytes(10));
    MetadataChange change =
        MetadataChange.NONE
            .withMode(0640)
            .withOwner(5L << 32 | 7)
            .withModified(Instant.ofEpochSecond(0, 123))
            .withAttribute("media-type", "a/b".getBytes());
    fixture.<FileInfo>get(
        port -> fixture.files().setMetadata(path("/f"), LinkPolicy.FOLLOW, change, port));
    done(fixture.batch(new FileRequest.SetProperty("p", new byte[] {1, 2, 3})));
    fixture = fixture.crash();
    FileInfo info = fixture.stat("/f");
    assertEquals(0640, info.mode());
    assertEquals(5L << 32 | 7, info.owner());
    assertEquals(123, info.times().modifiedNanos());
    assertEquals("a/b", info.mediaType());
    assertArrayEquals(
        new byte[] {1, 2, 3},
        fixture.<Optional<byte[]>>get(port -> fixture.files().property("p", port)).orElseThrow());
  }

  @Test
  void notesOfABatchAreOfWhatItLeavesAndInItsCommit() {
    FileRequest.Put put =
        new FileRequest.Put(path("/f"), new FileContent.Bytes(new byte[5000]), PutOptions.DEFAULT);
    Completion<BatchResult> refused =
        fixture.<BatchResult>await(
            port ->
                fixture
                    .files()
                    .batch(
                        List.of(put),
                        _ -> Completion.failed(new Failure.Busy("notes")),
                        Durability.SYNC,
                        port));
    assertEquals(Completion.failed(new Failure.Busy("notes")), refused);
    assertEquals(
        Completion.failed(new Failure.NotFound("/f")),
        fixture.<FileInfo>await(port -> fixture.files().stat("/f", LinkPolicy.FOLLOW, port)));
    BatchResult result =
        fixture.get(
            port ->
                fixture
                    .files()
                    .batch(
                        List.of(put),
                        left ->
                            Completion.done(
                                List.of(
                                    new FileRequest.SetProperty(
                                        "p", left.only().fileVersion().tag().getBytes()))),
                        Durability.SYNC,
                        port));
    fixture = fixture.crash();
    assertEquals(1, result.files().size());
    assertEquals(result.only().fileVersion(), fixture.stat("/f").fileVersion());
    assertArrayEquals(
        result.only().fileVersion().tag().getBytes(),
        fixture.<Optional<byte[]>>get(port -> fixture.files().property("p", port)).orElseThrow());
  }

  @Test
  void theLargestMetadataFitsEveryLayout() {
    MetadataChange most = MetadataChange.NONE;
    for (int i = 0; i < MetadataChange.MAX_ATTRIBUTES; i++) {
      most = most.withAttribute("name%02d".formatted(i), new byte[] {1, 2});
    }
    PutOptions options = PutOptions.DEFAULT.withMetadata(most);
    String name = "n".repeat(StorePath.MAX_NAME_BYTES - 7);
    for (int size : new int[] {0, 64, 5000, 200_000, 1_000_000}) {
      FileContent content = new FileContent.Bytes(bytes(size));
      done(fixture.batch(new FileRequest.Put(path("/" + name + size), content, options)));
    }
    done(
        fixture.batch(
            new FileRequest.SymbolicLink(
                path("/link"), "t".repeat(FileRequest.MAX_TARGET_BYTES), most)));
    assertFailed(
        Failure.TooLarge.class,
        fixture.batch(
            new FileRequest.SetMetadata(
                path("/link"),
                LinkPolicy.NO_FOLLOW,
                MetadataChange.NONE.withAttribute("x", new byte[1]))));
    byte[] largest = new byte[FileRequest.MAX_PROPERTY_BYTES];
    done(
        fixture.batch(
            new FileRequest.SetProperty("p".repeat(FileRequest.MAX_PROPERTY_NAME_BYTES), largest)));
    fixture = fixture.reopen();
    assertEquals(40, fixture.stat("/" + name + 5000).attributes().size());
    assertArrayEquals(bytes(1_000_000), fixture.read("/" + name + 1_000_000));
    assertEquals(6, fixture.names());
  }

  // ------------------------------------------------------------------ helpers

  private static StorePath path(String text) {
    return StorePath.of(text);
  }

  private PutHandle begin(String path, PutOptions options) {
    return fixture.get(port -> fixture.files().put(path(path), options, port));
  }

  private StagedContent stage(byte[] bytes) {
    var stager = fixture.files().stage(FilesFixture.OWNER);
    fixture.<Unit>get(port -> stager.append(ByteBuffer.wrap(bytes), port));
    return fixture.get(stager::finish);
  }

  private void put(String path, byte[] content) {
    done(
        fixture.batch(
            new FileRequest.Put(
                path(path), new FileContent.Bytes(content), PutOptions.WITH_PARENTS)));
  }

  private void delete(String path) {
    fixture.<Unit>get(port -> fixture.files().delete(path(path), port));
  }

  private static void done(Completion<?> completion) {
    assertInstanceOf(Completion.Done.class, completion, () -> "got " + completion);
  }

  private static void assertFailed(Class<? extends Failure> how, Completion<?> completion) {
    Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, completion);
    assertInstanceOf(how, failed.failure());
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }
}
