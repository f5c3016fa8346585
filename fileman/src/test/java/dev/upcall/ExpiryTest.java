package dev.upcall;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.Listing.Direction;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.Times;
import dev.upcall.request.FileRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** When files with an expiry are there, when not, and what becomes of their space. */
class ExpiryTest {
  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final Expiry HOUR = Expiry.after(Duration.ofHours(1));

  private FilesFixture fixture = FilesFixture.create(11);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static void refused(String says, Executable wrong) {
    String told = assertThrows(IllegalArgumentException.class, wrong).getMessage();
    assertTrue(told.startsWith(says), told);
  }

  @Test
  void aFileIsThereUntilItsMomentAndNotFromThenOn() {
    put("/f", HOUR);
    long expires = fixture.stat("/f").times().expiresNanos();
    setClock(expires - 1_000_000_000);
    assertEquals(List.of("f"), names("/"));
    setClock(expires);
    gone("/f");
    assertEquals(List.of(), names("/"));
    assertEquals(1, fixture.names(), "nobody has deleted it yet");
    setClock(expires + 1);
    fixture.collectEverything();
    assertEquals(0, fixture.names());
    assertEquals(1, fixture.inodes());
    assertEquals(0, fixture.expiries());
    assertEquals(1, files().fileManagerInfo().expiredFiles());
    gone("/f");
  }

  @Test
  void changesTakeItForAbsent() {
    put("/f", HOUR);
    FileVersion version = fixture.stat("/f").fileVersion();
    put("/over", HOUR);
    put("/stays", null);
    setClock(fixture.now() + 2 * HOUR_NANOS);
    refused(Failure.NotFound.class, new FileRequest.Delete(path("/f")));
    refused(Failure.NotFound.class, new FileRequest.Rename(path("/f"), path("/g"), Existence.ANY));
    refused(
        Failure.NotFound.class,
        new FileRequest.SetMetadata(path("/f"), LinkPolicy.FOLLOW, MetadataChange.NONE));
    refused(
        Failure.VersionMismatch.class,
        request("/f", PutOptions.DEFAULT.withCondition(FileCondition.only(version))));
    refused(
        Failure.NotFound.class,
        request("/f", PutOptions.DEFAULT.withExistence(Existence.MUST_EXIST)));
    done(request("/f", PutOptions.DEFAULT.withExistence(Existence.MUST_NOT_EXIST)));
    FileInfo anew = fixture.stat("/f");
    assertFalse(anew.times().hasExpiry());
    assertTrue(anew.id() != version.id(), "another file");
    done(new FileRequest.Rename(path("/stays"), path("/over"), Existence.MUST_NOT_EXIST));
    fixture.collectEverything();
    assertEquals(List.of("f", "over"), names("/"));
    assertEquals(0, fixture.expiries());
    assertEquals(3, fixture.inodes());
  }

  @Test
  void whoHasItOpenKeepsIt() {
    put("/f", HOUR);
    OpenFile open = fixture.get(port -> files().openRead(path("/f"), FilesFixture.OWNER, port));
    FileSnapshot before = fixture.get(files()::snapshot);
    FileHandle handle = fixture.get(port -> files().open(path("/f"), OpenMode.EXISTING, port));
    setClock(fixture.now() + 2 * HOUR_NANOS);
    FileSnapshot after = fixture.get(files()::snapshot);
    fixture.collectEverything();
    assertEquals(0, fixture.names());
    assertArrayEquals(new byte[] {1, 2, 3}, fixture.read(open));
    open.close();
    assertArrayEquals(new byte[] {1, 2, 3}, fixture.read(before, "/f"));
    assertEquals(1, fixture.list(before, "/", 10).size());
    assertEquals(0, fixture.list(after, "/", 10).size());
    assertFailed(
        Failure.NotFound.class,
        fixture.<Unit>await(port -> handle.append(ByteBuffer.wrap(new byte[10]), port)));
    handle.abandon();
    before.close();
    after.close();
  }

  /** A snapshot is looked at by the clock of its moment, for ever. */
  @Test
  void aSnapshotDoesNotShowWhatWasGoneThen() {
    put("/f", HOUR);
    setClock(fixture.now() + 2 * HOUR_NANOS);
    FileSnapshot snapshot = fixture.get(files()::snapshot);
    setClock(fixture.now() - 2 * HOUR_NANOS);
    assertEquals(3, fixture.stat("/f").sizeBytes(), "the clock went back before it was collected");
    assertEquals(0, fixture.list(snapshot, "/", 10).size());
    assertEquals(List.of(), fixture.names(snapshot, "/", Direction.ASCENDING, 10));
    snapshot.close();
  }

  @Test
  void renamingAndWritingKeepTheExpiryPuttingTakesItBack() {
    put("/f", HOUR);
    long expires = fixture.stat("/f").times().expiresNanos();
    fixture.<FileInfo>get(port -> files().createDirectory(path("/d"), port));
    done(new FileRequest.Rename(path("/f"), path("/d/g"), Existence.MUST_NOT_EXIST));
    FileHandle handle = fixture.get(port -> files().open(path("/d/g"), OpenMode.EXISTING, port));
    fixture.<Unit>get(port -> handle.append(ByteBuffer.wrap(new byte[9000]), port));
    fixture.<Unit>get(handle::close);
    done(metadata("/d/g", MetadataChange.NONE.withMode(0600)));
    assertEquals(expires, fixture.stat("/d/g").times().expiresNanos());
    assertEquals(1, fixture.expiries());
    put("/d/g", null);
    assertFalse(fixture.stat("/d/g").times().hasExpiry());
    assertEquals(0, fixture.expiries());
    done(metadata("/d/g", MetadataChange.NONE.withExpiry(HOUR)));
    assertEquals(1, fixture.expiries());
    done(metadata("/d/g", MetadataChange.NONE.withExpiry(Expiry.NEVER)));
    assertEquals(0, fixture.expiries());
    done(metadata("/d/g", MetadataChange.NONE.withExpiry(HOUR)));
    done(new FileRequest.Rename(path("/d"), path("/e"), Existence.MUST_NOT_EXIST));
    setClock(fixture.now() + 2 * HOUR_NANOS);
    fixture.collectEverything();
    assertEquals(List.of(), names("/e"));
    assertEquals(2, fixture.inodes());
  }

  @Test
  void anUploadLivesFromItsCommitOn() {
    PutHandle put =
        fixture.get(port -> files().put(path("/f"), PutOptions.DEFAULT.withExpiry(HOUR), port));
    fixture.<Unit>get(port -> put.append(ByteBuffer.wrap(new byte[10]), port));
    setClock(fixture.now() + 2 * HOUR_NANOS);
    long before = fixture.now();
    FileInfo made = fixture.get(put::commit);
    assertTrue(made.times().expiresNanos() >= before + HOUR_NANOS, made::toString);
    assertTrue(made.times().expiresNanos() <= fixture.now() + HOUR_NANOS, made::toString);
  }

  @Test
  void onlyFilesExpire() {
    MetadataChange hour = MetadataChange.NONE.withExpiry(HOUR);
    refused(
        Failure.Invalid.class,
        new FileRequest.CreateDirectory(path("/d"), Parents.MUST_EXIST, hour));
    refused(Failure.Invalid.class, new FileRequest.SymbolicLink(path("/l"), "x", hour));
    refused(Failure.Invalid.class, metadata("/", hour));
    done(metadata("/", MetadataChange.NONE.withExpiry(Expiry.NEVER)));
  }

  @Test
  void whatHasNoLifeLeftIsNeverSeen() {
    done(
        request("/f", PutOptions.DEFAULT.withExpiry(new Expiry.At(fixture.now()))),
        request("/f", PutOptions.DEFAULT.withExistence(Existence.MUST_NOT_EXIST)));
    assertFalse(fixture.stat("/f").times().hasExpiry());
    put("/g", new Expiry.At(5));
    gone("/g");
    fixture.collectEverything();
    assertEquals(2, fixture.inodes());
    refused("timeToLive in nanoseconds is 0", () -> new Expiry.After(0));
    refused("timeToLive is PT0S", () -> Expiry.after(Duration.ZERO));
    refused("timeToLive is PT", () -> Expiry.after(Duration.ofSeconds(Long.MIN_VALUE)));
    refused("epochNanos of an expiry is -1", () -> new Expiry.At(-1));
    assertEquals(Times.NEVER, new Expiry.After(Long.MAX_VALUE).nanosFrom(fixture.now()));
    assertEquals(Expiry.NEVER, Expiry.after(Duration.ofDays(1_000_000)));
  }

  @Test
  void aDirectoryOfWhatExpiredIsEmpty() {
    for (String directory : List.of("/a", "/b", "/c", "/d")) {
      fixture.<FileInfo>get(port -> files().createDirectory(path(directory), port));
      for (int i = 0; i < 5; i++) {
        put(directory + "/" + i, HOUR);
      }
    }
    refused(Failure.DirectoryNotEmpty.class, new FileRequest.Delete(path("/a")));
    setClock(fixture.now() + 2 * HOUR_NANOS);
    done(
        new FileRequest.Delete(path("/a")),
        new FileRequest.DeleteTree(path("/b")),
        new FileRequest.Rename(path("/c"), path("/d"), Existence.ANY));
    assertEquals(List.of("d"), names("/"));
    fixture.reclaimEverything();
    fixture.collectEverything();
    assertEquals(2, fixture.inodes());
    assertEquals(1, fixture.names());
    assertEquals(0, fixture.expiries());
  }

  /** To look at more in one upcall would keep the others waiting. */
  @Test
  void aDirectoryWithMuchToCollectIsNotEmptyYet() {
    fixture.<FileInfo>get(port -> files().createDirectory(path("/a"), port));
    for (int i = 0; i < 65; i++) {
      put("/a/" + i, HOUR);
    }
    setClock(fixture.now() + 2 * HOUR_NANOS);
    assertEquals(List.of(), names("/a"));
    refused(Failure.DirectoryNotEmpty.class, new FileRequest.Delete(path("/a")));
    fixture.collectEverything();
    done(new FileRequest.Delete(path("/a")));
  }

  @Test
  void whatExpiresBelowADeletedTreeGoesWithIt() {
    fixture.<FileInfo>get(port -> files().createDirectory(path("/t"), port));
    for (int i = 0; i < 9; i++) {
      put("/t/" + i, HOUR);
    }
    done(new FileRequest.DeleteTree(path("/t")));
    setClock(fixture.now() + 2 * HOUR_NANOS);
    fixture.reclaimEverything();
    fixture.collectEverything();
    assertEquals(0, fixture.expiries());
    assertEquals(1, fixture.inodes());
    assertEquals("", files().fileManagerInfo().expiryFailure());
  }

  @Test
  void whatExpiredWhileClosedIsCollectedAfterOpening() {
    put("/f", HOUR);
    put("/g", Expiry.after(Duration.ofHours(9)));
    fixture = fixture.reopen();
    setClock(fixture.now() + 2 * HOUR_NANOS);
    fixture = fixture.crash();
    gone("/f");
    fixture.collectEverything();
    assertEquals(1, fixture.expiries());
    assertEquals(List.of("g"), names("/"));
  }

  /** Few that expired are known by their names, and of many each is looked at. */
  @Test
  void whatExpiredIsNotAmongTheNames() {
    List<String> staying = new ArrayList<>();
    int made = 0;
    fixture.<FileInfo>get(port -> files().createDirectory(path("/d"), port));
    for (int expired : new int[] {3, 64, 65, 700}) {
      for (; made < expired; made++) {
        put("/d/%04d-goes".formatted(made), HOUR);
        if (made % 10 == 0) {
          put("/d/%04d-stays".formatted(made), null);
          staying.add("%04d-stays".formatted(made));
        }
      }
      setClock(fixture.now() + 2 * HOUR_NANOS);
      for (int page : new int[] {2, 4096}) {
        assertEquals(staying, fixture.names(files(), "/d", Direction.ASCENDING, page));
        assertEquals(staying.reversed(), fixture.names(files(), "/d", Direction.DESCENDING, page));
      }
      fixture.collectEverything();
      made = 0;
      staying.forEach(name -> done(new FileRequest.Delete(path("/d/" + name))));
      staying.clear();
    }
  }

  @Test
  void aFullVolumeGetsItsSpaceBack() {
    byte[] piece = new byte[300_000];
    Arrays.fill(piece, (byte) 1); // zeros would take no room
    PutOptions hour = PutOptions.WITH_PARENTS.withExpiry(HOUR);
    int written = 0;
    Completion<BatchResult> result;
    do {
      result = fixture.batch(request("/d/" + written, piece, hour));
      written++;
    } while (result instanceof Completion.Done && written < 1000);
    assertFailed(Failure.VolumeFull.class, result);
    setClock(fixture.now() + 2 * HOUR_NANOS);
    fixture.collectEverything();
    assertEquals("", files().fileManagerInfo().expiryFailure());
    fixture.<Unit>get(files().store()::checkpoint);
    for (int i = 0; i < written - 1; i++) {
      done(request("/e" + i, piece, PutOptions.DEFAULT));
    }
  }

  /** The timer sleeps through no expiry, in whatever order they become known. */
  @Test
  void theEarliestIsCollectedFirst() {
    put("/late", Expiry.after(Duration.ofSeconds(50)));
    put("/early", Expiry.after(Duration.ofSeconds(20)));
    put("/middle", Expiry.after(Duration.ofSeconds(30)));
    long begin = fixture.now();
    fixture.world().runUntil(() -> files().fileManagerInfo().expiredFiles() == 1);
    long took = fixture.now() - begin;
    assertTrue(took > 19_900_000_000L && took < 20_100_000_000L, "collected after " + took);
    assertEquals(List.of("late", "middle"), names("/"));
    fixture.world().runUntil(() -> files().fileManagerInfo().expiredFiles() == 3);
    assertEquals(0, files().fileManagerInfo().expiryLagNanos());
  }

  @Test
  void aClockThatIsSetBackOnlyDelays() {
    put("/f", HOUR);
    setClock(fixture.now() - 24 * HOUR_NANOS);
    fixture.world().runUntil(() -> fixture.world().clock().monotonicNanos() > 2 * HOUR_NANOS);
    assertEquals(3, fixture.stat("/f").sizeBytes());
    assertEquals(0, files().fileManagerInfo().expiredFiles());
    setClock(fixture.now() + 24 * HOUR_NANOS);
    gone("/f");
    assertTrue(files().fileManagerInfo().expiryLag().isPositive());
    fixture.collectEverything();
    assertEquals(1, files().fileManagerInfo().expiredFiles());
  }

  private FileManager files() {
    return fixture.files();
  }

  private void setClock(long nanos) {
    fixture.world().clock().jumpEpoch(nanos - fixture.now());
  }

  private void put(String path, @Nullable Expiry expiry) {
    done(
        request(path, expiry == null ? PutOptions.DEFAULT : PutOptions.DEFAULT.withExpiry(expiry)));
  }

  private void gone(String path) {
    this.<FileInfo>notFound(port -> files().stat(path(path), LinkPolicy.FOLLOW, port));
    this.<OpenFile>notFound(port -> files().openRead(path(path), FilesFixture.OWNER, port));
    this.<FileHandle>notFound(port -> files().open(path(path), OpenMode.EXISTING, port));
  }

  private <T> void notFound(Consumer<CompletionPort<T>> request) {
    assertFailed(Failure.NotFound.class, fixture.await(request));
  }

  private void done(FileRequest... requests) {
    assertInstanceOf(Completion.Done.class, fixture.batch(requests));
  }

  private void refused(Class<? extends Failure> how, FileRequest request) {
    assertFailed(how, fixture.batch(request));
  }

  private List<String> names(String directory) {
    return fixture.list(directory, 3).stream().map(FileInfo::name).toList();
  }

  private static void assertFailed(Class<? extends Failure> how, Completion<?> completion) {
    Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, completion);
    assertInstanceOf(how, failed.failure());
  }

  private static FileRequest request(String path, PutOptions options) {
    return request(path, new byte[] {1, 2, 3}, options);
  }

  private static FileRequest request(String path, byte[] content, PutOptions options) {
    return new FileRequest.Put(path(path), new FileContent.Bytes(content), options);
  }

  private static FileRequest metadata(String path, MetadataChange change) {
    return new FileRequest.SetMetadata(path(path), LinkPolicy.FOLLOW, change);
  }

  private static StorePath path(String text) {
    return StorePath.of(text);
  }
}
