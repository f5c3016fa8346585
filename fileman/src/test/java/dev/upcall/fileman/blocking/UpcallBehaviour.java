package dev.upcall.fileman.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.BatchResult;
import dev.upcall.Existence;
import dev.upcall.FileCondition;
import dev.upcall.FileContent;
import dev.upcall.FileInfo;
import dev.upcall.FileVersion;
import dev.upcall.LinkPolicy;
import dev.upcall.Listing;
import dev.upcall.MetadataChange;
import dev.upcall.OpenMode;
import dev.upcall.PutOptions;
import dev.upcall.StorePath;
import dev.upcall.Upcall;
import dev.upcall.UpcallConfig;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.config.DiskKind;
import dev.upcall.config.PlaceConfig;
import dev.upcall.content.ContentSlice;
import dev.upcall.content.StagedContent;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the facade does on real volumes, whoever serves its calls. */
public abstract class UpcallBehaviour {
  private static final MetadataChange MODE = MetadataChange.NONE.withMode(0600);

  @TempDir Path folder;

  /** What the store under test is opened with. */
  protected abstract UpcallConfig config();

  /** Little memory and a small cap. */
  public static UpcallConfig small(DiskKind disk) {
    return UpcallConfig.DEFAULT
        .withMemoryBytes(UpcallConfig.MIN_MEMORY_BYTES)
        .withCapBytes(256L << 20)
        .withDisk(disk);
  }

  protected final Path volume() {
    return folder.resolve("volume.upcall");
  }

  @Test
  void whatWasWrittenIsThereAfterReopening() {
    byte[] small = bytes(1, 300);
    byte[] medium = bytes(2, 20_000);
    byte[] large = bytes(3, 5_000_001);
    try (Upcall store = Upcall.create(volume(), config())) {
      store.createDirectory("/d");
      store.write("/d/small", small);
      store.write("/d/medium", medium);
      FileInfo made = store.write("/d/large", large, PutOptions.DEFAULT);
      assertEquals(large.length, made.sizeBytes());
      store.symbolicLink("/link", "d/medium");
      assertArrayEquals(large, store.readAllBytes("/d/large"));
      assertArrayEquals(medium, store.readAllBytes("/link"));
    }
    try (Upcall store = Upcall.open(volume(), config())) {
      assertArrayEquals(small, store.readAllBytes("/d/small"));
      assertArrayEquals(medium, store.readAllBytes("/link"));
      assertArrayEquals(large, store.readAllBytes("/d/large"));
      List<String> names = new ArrayList<>();
      store.forEach("/d", entry -> names.add(entry.name()));
      assertEquals(List.of("large", "medium", "small"), names);
      store.rename("/d", "/e", Existence.MUST_NOT_EXIST);
      store.deleteTree("/e");
      assertFalse(store.exists("/e"));
      assertEquals("d/medium", store.readLink("/link"));
    }
  }

  @Test
  void streamsReadOneVersion() throws IOException {
    byte[] first = bytes(5, 700_000);
    byte[] second = bytes(6, 500);
    try (Upcall store = Upcall.create(volume(), config())) {
      store.write("/f", new ByteArrayInputStream(first), PutOptions.DEFAULT);
      try (Upcall.ReadStream stream = store.read("/f")) {
        assertArrayEquals(Arrays.copyOf(first, 1000), stream.readNBytes(1000));
        store.write("/f", second);
        assertArrayEquals(Arrays.copyOfRange(first, 1000, 3000), stream.readNBytes(2000));
        assertEquals(500_000, stream.skip(500_000));
        assertArrayEquals(Arrays.copyOfRange(first, 503_000, first.length), stream.readAllBytes());
        assertEquals(-1, stream.read());
        ByteBuffer some = ByteBuffer.allocate(10);
        assertEquals(10, stream.read(77, some));
        assertArrayEquals(Arrays.copyOfRange(first, 77, 87), some.array());
      }
      assertArrayEquals(second, store.readAllBytes("/f"));
      try (Upcall.ReadStream stream = store.read("/f")) {
        assertArrayEquals(second, stream.readAllBytes());
      }
      store.write("/empty", new byte[0]);
      assertEquals(0, store.readAllBytes("/empty").length);
      try (Upcall.ReadStream stream = store.read("/empty")) {
        assertEquals(-1, stream.read());
      }
    }
  }

  @Test
  void slicesAreTheBytesThatReadingCopies() throws IOException {
    int[] sizes = {0, 1, 200, 4_096, 30_001, 700_000, 3_000_000};
    try (Upcall store = Upcall.create(volume(), config())) {
      for (int size : sizes) {
        store.write("/f" + size, new ByteArrayInputStream(bytes(3, size)), PutOptions.DEFAULT);
      }
      try (Upcall.RandomAccess far = store.open("/far", OpenMode.CREATE)) {
        far.write(500_000, ByteBuffer.wrap(bytes(4, 10_000)));
      }
      for (int round = 0; round < 2; round++) {
        for (int size : sizes) {
          assertArrayEquals(bytes(3, size), slices(store, "/f" + size, 65_536));
          assertArrayEquals(bytes(3, size), slices(store, "/f" + size, 50_001));
        }
        assertArrayEquals(store.readAllBytes("/far"), slices(store, "/far", 65_536));
        store.checkpoint();
      }
    }
  }

  /** All bytes of a file; each slice is looked at when the stream is closed. */
  private static byte[] slices(Upcall store, String path, int maxBytes) {
    List<ContentSlice> slices = new ArrayList<>();
    ByteBuffer all;
    try (Upcall.ReadStream stream = store.read(path)) {
      all = ByteBuffer.allocate(Math.toIntExact(stream.info().sizeBytes()));
      long offset = 0;
      for (ContentSlice next = stream.slice(offset, maxBytes);
          next.sizeBytes() > 0;
          next = stream.slice(offset, maxBytes)) {
        assertTrue(next.sizeBytes() <= maxBytes);
        slices.add(next);
        offset += next.sizeBytes();
      }
    }
    for (ContentSlice slice : slices) {
      slice.buffers().forEach(all::put);
      slice.release();
    }
    assertFalse(all.hasRemaining());
    return all.array();
  }

  /** At every door that takes paths, and with whoever serves it. */
  @Test
  void pathsThatBeginAtADirectoryStayWithIt() throws IOException {
    try (Upcall store = Upcall.create(volume(), config())) {
      store.createDirectory("/d");
      store.write("/d/f", bytes(1, 100));
      long id = store.stat("/d").id();
      StorePath file = UpcallException.value(StorePath.parse(id, "f"));
      StorePath made = UpcallException.value(StorePath.parse(id, "made"));
      StorePath itself = UpcallException.value(StorePath.parse(id, ""));
      store.rename("/d", "/moved", Existence.MUST_NOT_EXIST);
      store.symbolicLink("/d", "/");
      assertArrayEquals(bytes(1, 100), store.readAllBytes(file));
      store.write(made, bytes(2, 200_000));
      assertArrayEquals(bytes(2, 200_000), store.readAllBytes("/moved/made"));
      try (Upcall.PutStream put = store.put(file, PutOptions.DEFAULT)) {
        put.write(bytes(3, 500), 0, 500);
        assertEquals(500, put.commit().sizeBytes());
      }
      try (Upcall.RandomAccess handle = store.open(file, OpenMode.EXISTING)) {
        handle.write(500, ByteBuffer.wrap(bytes(4, 5)));
      }
      assertEquals(505, store.stat("/moved/f").sizeBytes());
      assertEquals(2, store.list(itself, 10).entries().size());
      Listing.Range all = new Listing.Range(Listing.Direction.DESCENDING, 10);
      assertEquals(List.of("made", "f"), store.names(itself, all).names());
      try (Upcall.ReadStream stream = store.read(file)) {
        assertEquals(505, stream.readAllBytes().length);
      }
      store.rename(file, made, Existence.ANY);
      assertEquals(505, store.stat("/moved/made").sizeBytes());
      store.deleteTree("/moved");
      UpcallException gone = assertThrows(UpcallException.class, () -> store.stat(made));
      assertInstanceOf(Failure.NotFound.class, gone.failure());
      assertThrows(UpcallException.class, () -> store.write(made, new byte[1]));
      assertThrows(UpcallException.class, () -> store.names(itself, all));
    }
  }

  @Test
  void nothingIsSeenOfAPutBeforeItsCommit() {
    byte[] content = bytes(7, 300_000);
    try (Upcall store = Upcall.create(volume(), config())) {
      try (Upcall.PutStream put = store.put("/a/b", PutOptions.WITH_PARENTS)) {
        put.write(content, 0, content.length);
        assertFalse(store.exists("/a"));
        assertEquals(content.length, put.commit().sizeBytes());
      }
      assertArrayEquals(content, store.readAllBytes("/a/b"));
      try (Upcall.PutStream put = store.put("/c", PutOptions.DEFAULT)) {
        put.write(content, 0, content.length);
      }
      assertFalse(store.exists("/c"));
      failure(Failure.NotFound.class, () -> store.put("/x/y", PutOptions.DEFAULT));
      failure(Failure.IsADirectory.class, () -> store.put("/a", PutOptions.DEFAULT));
    }
  }

  @Test
  void batchesCommitTogether() {
    try (Upcall store = Upcall.create(volume(), config())) {
      byte[] big = bytes(9, 200_000);
      StagedContent staged = store.stage(new ByteArrayInputStream(big));
      List<FileRequest> requests = new ArrayList<>();
      requests.add(new FileRequest.CreateDirectory(StorePath.of("/d")));
      for (int i = 0; i < 200; i++) {
        requests.add(
            new FileRequest.Put(
                StorePath.of("/d/f" + i),
                new FileContent.Bytes(bytes(i, i * 10)),
                PutOptions.DEFAULT));
      }
      requests.add(
          new FileRequest.Put(
              StorePath.of("/d/big"), new FileContent.Staged(staged), PutOptions.DEFAULT));
      requests.add(new FileRequest.SetProperty("state", new byte[] {42}));
      BatchResult result = store.batch(requests);
      assertEquals(203, result.files().size());
      assertArrayEquals(new byte[] {42}, store.property("state").orElseThrow());
      assertArrayEquals(big, store.readAllBytes("/d/big"));
      for (int i = 0; i < 200; i++) {
        assertArrayEquals(bytes(i, i * 10), store.readAllBytes("/d/f" + i));
      }
      StagedContent lost = store.stage(new ByteArrayInputStream(big));
      failure(
          Failure.NotFound.class,
          () ->
              store.batch(
                  List.of(
                      new FileRequest.Put(
                          StorePath.of("/e"), new FileContent.Staged(lost), PutOptions.DEFAULT),
                      new FileRequest.Delete(StorePath.of("/missing")))));
      assertFalse(store.exists("/e"));
      store.discard(store.stage(new ByteArrayInputStream(big)));
    }
  }

  @Test
  void conditionsAreObeyed() {
    try (Upcall store = Upcall.create(volume(), config())) {
      FileVersion first = store.write("/a", bytes(1, 10)).fileVersion();
      FileCondition untouched = FileCondition.only(first);
      FileVersion second =
          store.setMetadata("/a", LinkPolicy.FOLLOW, MODE, untouched).fileVersion();
      PutOptions stale = PutOptions.DEFAULT.withCondition(untouched);
      failure(Failure.VersionMismatch.class, () -> store.write("/a", bytes(2, 10), stale));
      failure(Failure.VersionMismatch.class, () -> store.put("/a", stale));
      failure(Failure.VersionMismatch.class, () -> store.delete("/a", untouched));
      failure(Failure.VersionMismatch.class, () -> store.deleteTree("/a", untouched));
      store.write("/b", bytes(3, 10));
      failure(Failure.VersionMismatch.class, () -> store.rename("/b", "/a", untouched));
      failure(Failure.AlreadyExists.class, () -> store.rename("/b", "/a", FileCondition.ABSENT));
      assertArrayEquals(bytes(1, 10), store.readAllBytes("/a"));
      FileVersion moved = store.rename("/b", "/a", FileCondition.only(second)).fileVersion();
      store.delete("/a", FileCondition.only(moved));
      assertFalse(store.exists("/a"));
    }
  }

  @Test
  void acknowledgedEarlyAndFlushed() {
    try (Upcall store = Upcall.create(volume(), config())) {
      for (int i = 0; i < 50; i++) {
        FileContent content = new FileContent.Bytes(bytes(i, 3000));
        StorePath path = StorePath.of("/f" + i);
        store.batch(
            List.of(new FileRequest.Put(path, content, PutOptions.DEFAULT)), Durability.ASYNC);
      }
      try (Upcall.PutStream put = store.put("/last", PutOptions.DEFAULT)) {
        put.write(bytes(99, 300_000), 0, 300_000);
        assertEquals(300_000, put.commit(Durability.ASYNC).sizeBytes());
      }
      long seen = store.info().scn();
      store.flush();
      assertTrue(store.info().durableScn() >= seen);
      assertArrayEquals(bytes(99, 300_000), store.readAllBytes("/last"));
    }
  }

  @Test
  void failuresAreTyped() {
    UpcallConfig config = config();
    failure(Failure.NotFound.class, () -> Upcall.open(volume(), config));
    try (Upcall store = Upcall.create(volume(), config)) {
      failure(Failure.Invalid.class, () -> store.stat("relative"));
      failure(Failure.Invalid.class, () -> store.stat("/a/../b"));
      failure(Failure.NotFound.class, () -> store.readAllBytes("/missing"));
      failure(Failure.IsADirectory.class, () -> store.readAllBytes("/"));
      failure(Failure.Conflict.class, () -> Upcall.open(volume(), config));
      failure(Failure.AlreadyExists.class, () -> Upcall.create(volume(), config));
    }
  }

  /** They are the caller's own mistake: the store goes on. */
  @Test
  void impossibleRangesAreRefused() {
    int[] sizes = {10, 5_000, 700_000};
    try (Upcall store = Upcall.create(volume(), config())) {
      for (int size : sizes) {
        store.write("/f", bytes(size, size));
        try (Upcall.ReadStream stream = store.read("/f")) {
          failure(Failure.Invalid.class, () -> stream.read(-1, ByteBuffer.allocate(8)));
          failure(Failure.Invalid.class, () -> stream.slice(Long.MIN_VALUE, 8));
          failure(Failure.Invalid.class, () -> stream.slice(0, -1));
          assertEquals(-1, stream.read(Long.MAX_VALUE, ByteBuffer.allocate(8)));
          ContentSlice behind = stream.slice(Long.MAX_VALUE, Integer.MAX_VALUE);
          assertEquals(0, behind.sizeBytes());
          behind.release();
        }
        try (Upcall.RandomAccess file = store.open("/f", OpenMode.EXISTING)) {
          ByteBuffer eight = ByteBuffer.allocate(8);
          failure(Failure.Invalid.class, () -> file.read(-1, eight));
          failure(Failure.Invalid.class, () -> file.read(Long.MIN_VALUE, eight));
          failure(Failure.Invalid.class, () -> file.write(-1, eight));
          failure(Failure.Invalid.class, () -> file.write(Long.MAX_VALUE, eight));
          failure(Failure.Invalid.class, () -> file.write(Long.MAX_VALUE / 2 - 7, eight));
          failure(Failure.Invalid.class, () -> file.truncate(-1));
          failure(Failure.Invalid.class, () -> file.truncate(Long.MAX_VALUE));
          assertEquals(8, eight.remaining());
          assertEquals(size, file.sizeBytes());
        }
        failure(Failure.Invalid.class, () -> store.list("/", -1));
        Listing.Range none = new Listing.Range(Listing.Direction.DESCENDING, 0);
        failure(Failure.Invalid.class, () -> store.names("/", none));
        assertArrayEquals(bytes(size, size), store.readAllBytes("/f"));
      }
    }
  }

  /** Inserts, cuts and both, read whole, in ranges and by a reader that began before. */
  @Test
  void aFileIsEditedInTheMiddle() {
    byte[] before = bytes(3, 300_000);
    byte[] inserted = bytes(4, 5000);
    try (Upcall store = Upcall.create(volume(), config())) {
      store.write("/f", before);
      byte[] after = new byte[before.length + inserted.length - 1000];
      System.arraycopy(before, 0, after, 0, 70_000);
      System.arraycopy(inserted, 0, after, 70_000, inserted.length);
      System.arraycopy(before, 70_000, after, 75_000, 130_000);
      System.arraycopy(before, 201_000, after, 205_000, 99_000);
      try (Upcall.ReadStream began = store.read("/f")) {
        try (Upcall.RandomAccess file = store.open("/f", OpenMode.EXISTING)) {
          file.insert(70_000, ByteBuffer.wrap(inserted));
          file.cut(205_000, 1000);
          assertEquals(after.length, file.sizeBytes());
          file.flush();
          assertArrayEquals(after, store.readAllBytes("/f"));
          file.write(74_999, ByteBuffer.wrap(new byte[] {1, 2}));
          after[74_999] = 1;
          after[75_000] = 2;
          failure(
              Failure.Invalid.class, () -> file.splice(after.length, 1, ByteBuffer.allocate(0)));
          failure(Failure.Invalid.class, () -> file.insert(-1, ByteBuffer.allocate(1)));
        }
        assertArrayEquals(after, store.readAllBytes("/f"));
        try (Upcall.ReadStream stream = store.read("/f")) {
          ByteBuffer some = ByteBuffer.allocate(200);
          while (some.hasRemaining()) {
            assertTrue(stream.read(69_900L + some.position(), some) > 0);
          }
          assertArrayEquals(Arrays.copyOfRange(after, 69_900, 70_100), some.array());
        }
        store.cloneFile("/f", "/g");
        try (Upcall.RandomAccess file = store.open("/g", OpenMode.EXISTING)) {
          file.cut(0, 100_000);
        }
        assertArrayEquals(after, store.readAllBytes("/f"));
        assertArrayEquals(
            Arrays.copyOfRange(after, 100_000, after.length), store.readAllBytes("/g"));
        ByteBuffer old = ByteBuffer.allocate(1000);
        assertTrue(began.read(200_500, old) > 0);
        assertEquals(before[200_500], old.get(0));
      }
    }
    try (Upcall store = Upcall.open(volume(), config())) {
      assertEquals(304_000, store.stat("/f").sizeBytes());
      store.delete("/f");
      assertEquals(204_000, store.readAllBytes("/g").length);
    }
  }

  /** So many edits that a tree has the pieces: read by who began before, cloned, opened again. */
  @Test
  void aFileIsEditedInManyPlaces() {
    byte[] content = bytes(5, 700_000);
    try (Upcall store = Upcall.create(volume(), config())) {
      store.write("/f", content);
      content = editedInManyPlaces(store, content, 0);
      store.cloneFile("/f", "/g");
      try (Upcall.ReadStream began = store.read("/f")) {
        byte[] after = editedInManyPlaces(store, content, 3000);
        assertArrayEquals(after, store.readAllBytes("/f"));
        ByteBuffer all = ByteBuffer.allocate(content.length);
        while (all.hasRemaining()) {
          assertTrue(began.read(all.position(), all) > 0);
        }
        assertArrayEquals(content, all.array());
      }
      assertArrayEquals(content, store.readAllBytes("/g"));
    }
    try (Upcall store = Upcall.open(volume(), config())) {
      store.delete("/f");
      assertArrayEquals(content, store.readAllBytes("/g"));
      try (Upcall.RandomAccess file = store.open("/g", OpenMode.EXISTING)) {
        file.cut(1000, content.length - 2000L);
      }
      assertEquals(2000, store.readAllBytes("/g").length);
    }
  }

  /** A hundred pieces more than an inode has room for, flushed in tens. */
  private byte[] editedInManyPlaces(Upcall store, byte[] before, int from) {
    byte[] content = before;
    try (Upcall.RandomAccess file = store.open("/f", OpenMode.EXISTING)) {
      for (int i = 0; i < 100; i++) {
        int at = from + i * 6_000;
        byte[] some = bytes(i, 30);
        file.splice(at, 10, ByteBuffer.wrap(some));
        byte[] after = Arrays.copyOf(content, content.length + 20);
        System.arraycopy(some, 0, after, at, 30);
        System.arraycopy(content, at + 10, after, at + 30, content.length - at - 10);
        content = after;
        if (i % 10 == 9) {
          file.flush();
        }
      }
    }
    return content;
  }

  /** As requests: alone, under a condition, in a batch with others, all or nothing. */
  @Test
  void filesAreEditedByRequests() {
    byte[] some = bytes(4, 100);
    try (Upcall store = Upcall.create(volume(), config())) {
      store.write("/f", bytes(3, 300_000));
      FileVersion first = store.stat("/f").fileVersion();
      assertEquals(300_100, store.insert("/f", 150_000, some).sizeBytes());
      failure(
          Failure.VersionMismatch.class,
          () -> store.splice("/f", 0, 1, some, FileCondition.only(first)));
      assertEquals(300_000, store.cut("/f", 150_000, 100).sizeBytes());
      assertArrayEquals(bytes(3, 300_000), store.readAllBytes("/f"));
      FileVersion present = store.stat("/f").fileVersion();
      store.splice("/f", 300_000, 0, some, FileCondition.only(present));
      store.batch(
          List.of(
              new FileRequest.Put(
                  StorePath.of("/g"), new FileContent.Bytes(some), PutOptions.DEFAULT),
              new FileRequest.Splice(StorePath.of("/f"), 0, 300_000, new byte[0])));
      assertArrayEquals(some, store.readAllBytes("/f"));
      assertArrayEquals(some, store.readAllBytes("/g"));
      failure(
          Failure.Invalid.class,
          () ->
              store.batch(
                  List.of(
                      new FileRequest.Delete(StorePath.of("/g")),
                      new FileRequest.Splice(StorePath.of("/f"), 101, 0, some))));
      assertArrayEquals(some, store.readAllBytes("/g"));
      failure(Failure.Invalid.class, () -> store.insert("/", 0, some));
      failure(Failure.TooLarge.class, () -> store.insert("/f", 0, new byte[3 << 20]));
      try (Upcall.RandomAccess file = store.open("/f", OpenMode.EXISTING)) {
        file.truncate(FileRequest.MAX_FILE_BYTES);
      }
      failure(Failure.Invalid.class, () -> store.insert("/f", 0, some));
      assertEquals(FileRequest.MAX_FILE_BYTES, store.stat("/f").sizeBytes());
    }
  }

  /** A hole with a byte behind it, and one more that is appended. */
  @Test
  void aFileMayBeAsLargeAsTheLargestOffset() {
    long largest = Long.MAX_VALUE / 2;
    try (Upcall store = Upcall.create(volume(), config())) {
      try (Upcall.RandomAccess file = store.open("/f", OpenMode.CREATE)) {
        file.truncate(largest);
        file.flush();
        ByteBuffer one = ByteBuffer.allocate(1);
        assertEquals(1, file.read(largest - 1, one));
        file.write(largest - 1, ByteBuffer.wrap(new byte[] {7}));
        file.flush();
        assertEquals(1, file.read(largest - 1, one.clear()));
        assertEquals(7, one.get(0));
        file.append(ByteBuffer.wrap(new byte[] {8}));
        file.flush();
        assertEquals(1, file.read(largest, one.clear()));
        assertEquals(8, one.get(0));
        file.truncate(3);
      }
      assertArrayEquals(new byte[3], store.readAllBytes("/f"));
    }
  }

  /** Whose flush fails when it is closed: the file was deleted meanwhile. */
  @Test
  void aHandleThatIsClosedGivesItsPlaceBack() {
    byte[] piece = bytes(1, 3000);
    try (Upcall store = Upcall.create(volume(), config())) {
      for (int i = 0; i < 20; i++) {
        store.write("/lost", piece);
        Upcall.RandomAccess lost = store.open("/lost", OpenMode.EXISTING);
        lost.write(100, ByteBuffer.wrap(piece));
        store.delete("/lost");
        failure(Failure.NotFound.class, lost::close);
        lost.close();
        failure(Failure.Closed.class, lost::flush);
      }
      try (Upcall.RandomAccess kept = store.open("/kept", OpenMode.CREATE)) {
        kept.write(0, ByteBuffer.wrap(piece));
      }
      assertArrayEquals(piece, store.readAllBytes("/kept"));
    }
  }

  /** As the page on limits says: half of what is off the heap, 1.5 MiB each. */
  @Test
  void asManyHandlesCollectAtOnceAsIsSaid() {
    UpcallConfig config =
        config()
            .withMemoryBytes(32 << 20)
            .withPlaces(PlaceConfig.DEFAULT.withWait(Duration.ofNanos(1)));
    byte[] piece = bytes(1, 2 << 20);
    try (Upcall store = Upcall.create(volume(), config)) {
      List<Upcall.RandomAccess> handles = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        handles.add(store.open("/f" + i, OpenMode.CREATE));
        handles.getLast().write(0, ByteBuffer.wrap(piece));
      }
      Upcall.RandomAccess late = store.open("/late", OpenMode.CREATE);
      failure(Failure.Busy.class, () -> late.write(0, ByteBuffer.wrap(piece)));
      handles.forEach(Upcall.RandomAccess::close);
      late.write(0, ByteBuffer.wrap(piece));
      late.close();
      for (int i = 0; i < 7; i++) {
        assertArrayEquals(piece, store.readAllBytes("/f" + i));
      }
      assertArrayEquals(piece, store.readAllBytes("/late"));
    }
  }

  @Test
  void afterCloseEverythingIsClosed() {
    Upcall store = Upcall.create(volume(), config());
    store.write("/f", bytes(1, 100_000));
    Upcall.ReadStream stream = store.read("/f");
    Upcall.PutStream put = store.put("/g", PutOptions.DEFAULT);
    put.write(bytes(2, 300_000), 0, 300_000);
    store.close();
    store.close();
    failure(Failure.Closed.class, () -> store.stat("/"));
    failure(Failure.Closed.class, () -> stream.read(0, ByteBuffer.allocate(1)));
    failure(Failure.Closed.class, () -> put.commit());
    stream.close();
    put.close();
    try (Upcall again = Upcall.open(volume(), config())) {
      assertFalse(again.exists("/g"));
    }
  }

  protected static void failure(Class<? extends Failure> how, Runnable call) {
    UpcallException thrown = assertThrows(UpcallException.class, call::run);
    assertInstanceOf(how, thrown.failure(), thrown.getMessage());
  }

  public static byte[] bytes(int seed, int size) {
    byte[] bytes = new byte[size];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
