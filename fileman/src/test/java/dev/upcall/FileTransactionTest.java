package dev.upcall;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Transactions over files, on a simulated machine. */
class FileTransactionTest {
  private FilesFixture fixture = FilesFixture.create(1);

  @AfterEach
  void close() {
    assertEquals(0, fixture.files().store().metrics().transactions().open());
    fixture.reclaimEverything();
    fixture.close();
  }

  // ------------------------------------------------------------------ alone

  @Test
  void everyReadSeesItsBeginningAndItsOwnChanges() {
    now(put("/a", "old"), mkdir("/d"), put("/d/1", "one"), put("/d/2", "two"), property("old"));
    now(new FileRequest.SymbolicLink(path("/link"), "a", MetadataChange.NONE));
    FileTransaction transaction = begin();
    now(put("/d/3", "by another"), put("/d/2", "by another"), property("by another"));

    in(transaction, put("/a", "new"));
    in(transaction, put("/d/4", "own"));
    in(transaction, new FileRequest.Delete(path("/d/1")));
    in(transaction, new FileRequest.SymbolicLink(path("/own"), "d/4", MetadataChange.NONE));

    assertEquals(List.of("2", "4"), names(transaction, "/d"));
    assertEquals("new", read(transaction, "/a"));
    assertEquals("new", read(transaction, "/link"));
    assertEquals("two", read(transaction, "/d/2"));
    assertEquals("own", read(transaction, "/own"));
    assertEquals(3, stat(transaction, "/d/4").sizeBytes());
    assertEquals("d/4", fixture.<String>get(port -> transaction.readLink(path("/own"), port)));
    assertEquals(
        "old",
        text(fixture.<Optional<byte[]>>get(port -> transaction.property("p", port)).orElseThrow()));
    assertInstanceOf(
        Failure.NotFound.class,
        this.<FileInfo>failure(port -> transaction.stat(path("/d/1"), LinkPolicy.FOLLOW, port)));
    assertEquals(List.of("1", "2", "3"), names(fixture.files(), "/d"));
    assertEquals("old", read(fixture.files(), "/a"));

    commit(transaction);
    assertEquals(List.of("2", "3", "4"), names(fixture.files(), "/d"));
    assertEquals("new", read(fixture.files(), "/a"));
    assertEquals("by another", read(fixture.files(), "/d/2"));
    assertEquals("own", read(fixture.files(), "/own"));
  }

  @Test
  void aWholeTreeIsBuiltMovedAndTakenApartInOne() {
    FileTransaction transaction = begin();
    in(transaction, mkdir("/x/y/z"));
    in(transaction, put("/x/y/z/deep", "deep"));
    in(transaction, new FileRequest.Rename(path("/x/y"), path("/x/w"), Existence.MUST_NOT_EXIST));
    assertEquals("deep", read(transaction, "/x/w/z/deep"));
    in(transaction, put("/x/w/z/deep", "deeper"));
    in(transaction, mkdir("/gone"));
    in(transaction, put("/gone/file", "gone"));
    in(transaction, new FileRequest.DeleteTree(path("/gone")));
    long id = stat(transaction, "/x/w/z/deep").id();
    commit(transaction);
    assertEquals("deeper", read(fixture.files(), "/x/w/z/deep"));
    assertEquals(id, stat(fixture.files(), "/x/w/z/deep").id());
    assertEquals(List.of("x"), names(fixture.files(), "/"));
  }

  @Test
  void filesOfAnySizeComeIn() {
    byte[] large = StoreFixture.bytes(1, 700_000);
    for (boolean commits : List.of(false, true)) {
      FileTransaction transaction = begin();
      PutHandle handle =
          fixture.get(port -> transaction.put(path("/large"), PutOptions.DEFAULT, port));
      fixture.<Unit>get(port -> handle.append(ByteBuffer.wrap(large), port));
      FileInfo info = fixture.get(port -> handle.commit(Durability.SYNC, port));
      assertEquals(large.length, info.sizeBytes());
      assertArrayEquals(large, fixture.read(transaction, "/large"));
      assertEquals(List.of(), names(fixture.files(), "/"));
      if (commits) {
        commit(transaction);
        assertArrayEquals(large, fixture.read("/large"));
      } else {
        transaction.rollback();
      }
    }
  }

  @Test
  void allOrNothingAfterACrash() {
    now(put("/a", "1"), put("/b", "1"));
    FileTransaction transaction = begin();
    in(transaction, put("/a", "2"));
    in(transaction, put("/b", "2"));
    in(transaction, put("/c", "2"));
    commit(transaction);
    FileTransaction open = begin();
    in(open, put("/a", "3"));
    fixture = fixture.crash();
    assertEquals("2", read(fixture.files(), "/a"));
    assertEquals("2", read(fixture.files(), "/b"));
    assertEquals("2", read(fixture.files(), "/c"));
  }

  @Test
  void whatIsRefusedIsNoPartOfIt() {
    now(put("/a", "old"));
    FileTransaction transaction = begin();
    in(transaction, put("/b", "new"));
    assertInstanceOf(
        Failure.NotFound.class,
        this.<Unit>failure(port -> transaction.delete(path("/none"), port)));
    assertInstanceOf(
        Failure.AlreadyExists.class,
        this.<BatchResult>failure(
            port ->
                transaction.batch(
                    List.of(
                        put("/c", "c"),
                        new FileRequest.Rename(path("/b"), path("/a"), Existence.MUST_NOT_EXIST)),
                    port)));
    commit(transaction);
    assertEquals(List.of("a", "b"), names(fixture.files(), "/"));
  }

  @Test
  void closingTheFileManagerRollsBack() {
    FileTransaction transaction = begin();
    in(transaction, put("/a", "never"));
    fixture.<Unit>get(port -> fixture.files().close(port));
    assertInstanceOf(Failure.Closed.class, failureOf(transaction));
    fixture = fixture.reopen();
    assertEquals(List.of(), names(fixture.files(), "/"));
  }

  // ------------------------------------------------------------------ ranges

  @Test
  void rangesOfFilesAreAPartOfIt() {
    now(put("/a", "a".repeat(5000)), put("/b", "b"));
    FileTransaction transaction = begin();
    FileHandle a = open(transaction, "/a", OpenMode.EXISTING);
    FileHandle b = open(transaction, "/b", OpenMode.EXISTING);
    FileHandle c = open(transaction, "/c", OpenMode.CREATE);
    write(a, 4999, "123");
    fixture.<Unit>get(port -> b.truncate(0, port));
    fixture.<Unit>get(port -> c.append(bytes("see"), port));
    assertEquals("b", read(transaction, "/b"));
    fixture.<Unit>get(b::flush);
    fixture.<Unit>get(c::close);
    assertEquals("", read(transaction, "/b"));
    assertEquals("see", read(transaction, "/c"));
    assertEquals(List.of("a", "b"), names(fixture.files(), "/"));
    in(transaction, new FileRequest.Rename(path("/b"), path("/d"), Existence.MUST_NOT_EXIST));
    fixture.<Unit>get(port -> b.append(bytes("moved"), port));
    commit(transaction);
    fixture = fixture.crash();
    assertEquals("a".repeat(4999) + "123", read(fixture.files(), "/a"));
    assertEquals("moved", read(fixture.files(), "/d"));
    assertEquals("see", read(fixture.files(), "/c"));
  }

  @Test
  void handlesEndWithTheirTransaction() {
    now(put("/a", "old"));
    for (boolean commits : List.of(false, true)) {
      FileTransaction transaction = begin();
      FileHandle handle = open(transaction, "/a", OpenMode.EXISTING);
      write(handle, 0, "new and more");
      if (commits) {
        boolean[] written = new boolean[1];
        handle.append(bytes("!"), completion -> written[0] = completion instanceof Completion.Done);
        commit(transaction);
        assertTrue(written[0]);
      } else {
        transaction.rollback();
      }
      assertInstanceOf(
          Failure.Closed.class, this.<Unit>failure(port -> handle.append(bytes("late"), port)));
      fixture.<Unit>get(handle::close);
      assertEquals(commits ? "new and more!" : "old", read(fixture.files(), "/a"));
    }
    assertEquals(0, fixture.files().fileManagerInfo().handlesOpen());
  }

  @Test
  void aCommitThatCannotTakeWhatHandlesHaveCollectedTakesNothing() {
    now(put("/a", "a".repeat(2000)), put("/b", "b"));
    FileTransaction transaction = begin();
    in(transaction, put("/b", "new"));
    FileHandle handle = open(transaction, "/a", OpenMode.EXISTING);
    write(handle, 10, "own");
    now(put("/a", "by another"));
    assertInstanceOf(Failure.Conflict.class, failureOf(transaction));
    assertEquals("b", read(fixture.files(), "/b"));
    assertEquals("by another", read(fixture.files(), "/a"));
    fixture.<Unit>get(handle::close);
  }

  private FileHandle open(FileTransaction transaction, String path, OpenMode mode) {
    return fixture.get(port -> transaction.open(path(path), mode, port));
  }

  private void write(FileHandle handle, long offset, String text) {
    fixture.<Unit>get(port -> handle.write(offset, bytes(text), port));
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  // ------------------------------------------------------------------ with others

  @Test
  void twoMayFillOneDirectory() {
    now(mkdir("/d"));
    FileTransaction one = begin();
    FileTransaction two = begin();
    in(one, put("/d/1", "one"));
    in(two, put("/d/2", "two"));
    now(put("/d/3", "alone"));
    commit(two);
    commit(one);
    assertEquals(List.of("1", "2", "3"), names(fixture.files(), "/d"));
  }

  @Test
  void twoMayNotMakeOneName() {
    FileTransaction one = begin();
    FileTransaction two = begin();
    in(one, put("/a", "one"));
    commit(one);
    Failure conflict =
        this.<BatchResult>failure(port -> two.batch(List.of(put("/a", "two")), port));
    assertInstanceOf(Failure.Conflict.class, conflict);
    assertEquals(
        "transaction 2: somebody else has changed /a (put /a) since it began; do it again",
        conflict.message());
    assertInstanceOf(Failure.Conflict.class, failureOf(two));
    assertEquals("one", read(fixture.files(), "/a"));
  }

  @Test
  void aPathThatLeadsElsewhereAtTheCommitIsAConflict() {
    now(mkdir("/d"), mkdir("/e"), put("/d/file", "file"));
    FileTransaction transaction = begin();
    in(transaction, put("/d/new", "new"));
    now(
        new FileRequest.Rename(path("/d"), path("/moved"), Existence.MUST_NOT_EXIST),
        new FileRequest.Rename(path("/e"), path("/d"), Existence.MUST_NOT_EXIST));
    assertInstanceOf(Failure.Conflict.class, failureOf(transaction));
    assertEquals(List.of(), names(fixture.files(), "/d"));
    assertEquals(List.of("file"), names(fixture.files(), "/moved"));
  }

  @Test
  void aDirectoryIsNotDeletedWithWhatOthersHavePutIntoIt() {
    now(mkdir("/d"));
    FileTransaction deletes = begin();
    FileTransaction fills = begin();
    in(deletes, new FileRequest.Delete(path("/d")));
    in(fills, put("/d/file", "file"));
    commit(fills);
    Failure conflict = failureOf(deletes);
    assertInstanceOf(Failure.Conflict.class, conflict);
    assertTrue(conflict.message().contains("not empty"), conflict.message());
    assertEquals(List.of("file"), names(fixture.files(), "/d"));

    FileTransaction again = begin();
    FileTransaction late = begin();
    in(again, new FileRequest.DeleteTree(path("/d")));
    in(late, put("/d/late", "late"));
    commit(again);
    assertInstanceOf(Failure.Conflict.class, failureOf(late));
    assertEquals(List.of(), names(fixture.files(), "/"));
  }

  @Test
  void aDeadlockNamesThePaths() {
    now(put("/a", "a"), put("/b", "b"));
    FileTransaction one = begin();
    FileTransaction two = begin();
    in(one, put("/a", "one"));
    in(two, put("/b", "two"));
    boolean[] done = new boolean[1];
    one.batch(
        List.of(put("/b", "one")), completion -> done[0] = completion instanceof Completion.Done);
    fixture
        .world()
        .runUntil(() -> fixture.files().store().metrics().transactions().locks().waiting() == 1);
    Failure deadlock =
        this.<BatchResult>failure(port -> two.batch(List.of(put("/a", "two")), port));
    assertInstanceOf(Failure.Deadlock.class, deadlock);
    assertTrue(
        deadlock.message().contains("transaction 2 (put /a) waits for /a, held by transaction 1"),
        deadlock.message());
    assertTrue(
        deadlock.message().contains("transaction 1 (put /b) waits for /b, held by transaction 2"),
        deadlock.message());
    fixture.world().runUntil(() -> done[0]);
    commit(one);
    assertEquals("one", read(fixture.files(), "/b"));
  }

  @Test
  void aHandleWaitsForWhatATransactionHasLocked() {
    now(put("/a", "a".repeat(2000)));
    FileTransaction transaction = begin();
    in(transaction, new FileRequest.SetMetadata(path("/a"), LinkPolicy.FOLLOW, mode(0600)));
    FileHandle handle =
        fixture.get(port -> fixture.files().open(path("/a"), OpenMode.EXISTING, port));
    fixture.<Unit>get(port -> handle.write(0, ByteBuffer.wrap("b".getBytes(UTF_8)), port));
    boolean[] done = new boolean[1];
    handle.close(completion -> done[0] = completion instanceof Completion.Done);
    fixture
        .world()
        .runUntil(() -> fixture.files().store().metrics().transactions().locks().waiting() == 1);
    commit(transaction);
    fixture.world().runUntil(() -> done[0]);
    assertEquals("b" + "a".repeat(1999), read(fixture.files(), "/a"));
    assertEquals(0600, stat(fixture.files(), "/a").mode());
  }

  // ------------------------------------------------------------------ helpers

  private FileTransaction begin() {
    return fixture.get(port -> fixture.files().begin(port));
  }

  private void in(FileTransaction transaction, FileRequest request) {
    fixture.<BatchResult>get(port -> transaction.batch(List.of(request), port));
  }

  private void commit(FileTransaction transaction) {
    long scn = fixture.get(port -> transaction.commit(Durability.SYNC, port));
    assertTrue(scn > transaction.scn() && scn <= fixture.files().store().info().scn(), "" + scn);
  }

  private Failure failureOf(FileTransaction transaction) {
    return this.<Long>failure(port -> transaction.commit(Durability.SYNC, port));
  }

  private <T> Failure failure(Consumer<CompletionPort<T>> request) {
    Completion<T> completion = fixture.await(request);
    return ((Completion.Failed<T>) completion).failure();
  }

  private void now(FileRequest... requests) {
    assertInstanceOf(Completion.Done.class, fixture.batch(requests));
  }

  private List<String> names(FileReads reads, String directory) {
    return fixture.list(reads, directory, 2).stream().map(FileInfo::name).toList();
  }

  private String read(FileReads reads, String path) {
    return text(fixture.read(reads, path));
  }

  private FileInfo stat(FileReads reads, String path) {
    return fixture.get(port -> reads.stat(path(path), LinkPolicy.FOLLOW, port));
  }

  private static FileRequest put(String path, String text) {
    return new FileRequest.Put(
        path(path), new FileContent.Bytes(text.getBytes(UTF_8)), PutOptions.DEFAULT);
  }

  private static FileRequest mkdir(String path) {
    return new FileRequest.CreateDirectory(path(path), Parents.MAKE, MetadataChange.NONE);
  }

  private static FileRequest property(String value) {
    return new FileRequest.SetProperty("p", value.getBytes(UTF_8));
  }

  private static MetadataChange mode(int mode) {
    return MetadataChange.NONE.withMode(mode);
  }

  private static StorePath path(String path) {
    return StorePath.of(path);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, UTF_8);
  }
}
