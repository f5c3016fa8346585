package dev.upcall;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.content.EditPolicy;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Edits in the middle of files as requests: of many at once, in batches and in transactions. */
class SpliceBatchTest {
  private FilesFixture fixture = FilesFixture.create(7);
  private final SplittableRandom random = new SplittableRandom(11);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static StorePath path(String text) {
    return StorePath.of(text);
  }

  private byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  private byte[] put(String path, int size) {
    byte[] content = bytes(size);
    done(
        fixture.batch(
            new FileRequest.Put(path(path), new FileContent.Bytes(content), PutOptions.DEFAULT)));
    return content;
  }

  private static FileRequest splice(String path, long offset, long removed, byte[] bytes) {
    return new FileRequest.Splice(path(path), offset, removed, bytes);
  }

  private static byte[] spliced(byte[] before, int offset, int removed, byte[] bytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(before, 0, offset);
    all.writeBytes(bytes);
    all.write(before, offset + removed, before.length - offset - removed);
    return all.toByteArray();
  }

  private static <T> T done(Completion<T> completion) {
    if (completion instanceof Completion.Done<T>(T value)) {
      return value;
    }
    throw new AssertionError("" + completion);
  }

  private static void failed(Class<? extends Failure> kind, String part, Completion<?> completion) {
    Failure failure = assertInstanceOf(Completion.Failed.class, completion).failure();
    assertInstanceOf(kind, failure);
    assertTrue(failure.message().contains(part), failure::message);
  }

  @Test
  void aBatchEditsWhatItsEarlierRequestsLeft() {
    byte[] content = put("/a", 40_000);
    put("/b", 20_000);
    byte[] some = bytes(300);
    BatchResult result =
        done(
            fixture.batch(
                splice("/a", 10_000, 0, some),
                new FileRequest.Rename(path("/a"), path("/c"), Existence.MUST_NOT_EXIST),
                splice("/c", 40_300, 0, some),
                splice("/b", 0, 5000, new byte[0]),
                splice("/c", 0, 9000, some),
                new FileRequest.SetMetadata(
                    path("/c"), LinkPolicy.FOLLOW, MetadataChange.NONE.withMode(0600))));
    byte[] expected = spliced(content, 10_000, 0, some);
    expected = spliced(expected, 40_300, 0, some);
    expected = spliced(expected, 0, 9000, some);
    assertArrayEquals(expected, fixture.read("/c"));
    assertEquals(expected.length, result.files().get(4).orElseThrow().sizeBytes());
    assertEquals(0600, fixture.stat("/c").mode());
    assertEquals(15_000, fixture.stat("/b").sizeBytes());
    fixture = fixture.crash();
    assertArrayEquals(expected, fixture.read("/c"));
  }

  private static FileRequest change(String path, MetadataChange change) {
    return new FileRequest.SetMetadata(path(path), LinkPolicy.FOLLOW, change);
  }

  @Test
  void aDirectoryHandsItsPolicyDown() {
    done(fixture.batch(change("/", MetadataChange.NONE.withEditPolicy(new EditPolicy.Eos(3)))));
    done(fixture.batch(new FileRequest.CreateDirectory(path("/d"))));
    byte[] content = put("/d/a", 200_000);
    put("/d/b", 200_000);
    done(fixture.batch(change("/d/b", MetadataChange.NONE.withEditPolicy(EditPolicy.NONE))));
    for (int i = 0; i < 10; i++) {
      byte[] some = bytes(100);
      done(
          fixture.batch(
              splice("/d/a", 50_000 + 5_000 * i, 0, some),
              splice("/d/b", 50_000 + 5_000 * i, 0, some)));
      content = spliced(content, 50_000 + 5_000 * i, 0, some);
    }
    assertArrayEquals(content, fixture.read("/d/a"));
    FileInfo policy = fixture.stat("/d/a");
    FileInfo none = fixture.stat("/d/b");
    assertArrayEquals("eos 3".getBytes(UTF_8), policy.attributes().get("edit-policy"));
    assertTrue(none.attributes().isEmpty());
    assertTrue(none.stored().pieces() > 15, none::toString);
    assertTrue(policy.stored().pieces() <= 7, policy::toString);
    assertTrue(policy.stored().bytes() >= 100_000, policy::toString);
    failed(
        Failure.Invalid.class,
        "\"eos T\" or \"esm P\", with T and P from 1 to 256",
        fixture.batch(
            change("/d/a", MetadataChange.NONE.withAttribute("edit-policy", new byte[] {'4'}))));
  }

  @Test
  void whatCannotBeMeantChangesNothing() {
    byte[] content = put("/a", 5000);
    done(fixture.batch(new FileRequest.CreateDirectory(path("/d"))));
    done(fixture.batch(new FileRequest.SymbolicLink(path("/l"), "/a", MetadataChange.NONE)));
    byte[] one = {1};
    FileRequest good = splice("/a", 0, 0, one);
    failed(
        Failure.Invalid.class, "which has 5001", fixture.batch(good, splice("/a", 5002, 0, one)));
    failed(Failure.Invalid.class, "which has 5000", fixture.batch(splice("/a", -1, 0, one)));
    failed(Failure.Invalid.class, "which has 5000", fixture.batch(splice("/a", 0, -1, one)));
    failed(Failure.Invalid.class, "which has 5000", fixture.batch(splice("/a", 1, 5000, one)));
    failed(
        Failure.Invalid.class,
        "which has 5000",
        fixture.batch(splice("/a", Long.MAX_VALUE, Long.MAX_VALUE, one)));
    failed(Failure.Invalid.class, "directory", fixture.batch(good, splice("/d", 0, 0, one)));
    failed(Failure.Invalid.class, "symbolic link", fixture.batch(good, splice("/l", 0, 0, one)));
    failed(Failure.NotFound.class, "/x", fixture.batch(good, splice("/x", 0, 0, one)));
    failed(
        Failure.TooLarge.class, "bytes", fixture.batch(good, splice("/a", 0, 0, bytes(2 << 20))));
    failed(
        Failure.VersionMismatch.class,
        "/a",
        fixture.batch(
            good,
            new FileRequest.Splice(
                path("/a"), 0, 0, one, FileCondition.only(fixture.stat("/a").fileVersion())),
            new FileRequest.Splice(
                path("/a"), 0, 0, one, FileCondition.only(new FileVersion(1, 99)))));
    FileRequest clone = new FileRequest.Clone(path("/a"), path("/copy"), Existence.MUST_NOT_EXIST);
    failed(Failure.Invalid.class, "cloned and edited", fixture.batch(good, clone));
    failed(Failure.Invalid.class, "cloned and edited", fixture.batch(clone, good));
    failed(
        Failure.Invalid.class,
        "brings",
        fixture.batch(
            new FileRequest.Put(path("/a"), new FileContent.Bytes(one), PutOptions.DEFAULT), good));
    assertArrayEquals(content, fixture.read("/a"));
    done(fixture.batch(new FileRequest.Splice(path("/a"), 0, 0, one, FileCondition.PRESENT)));
    assertEquals(5001, fixture.stat("/a").sizeBytes());
  }

  /** Each finds that another was quicker, and does it again on what is there then. */
  @Test
  void editsOfOneFileAtOnceAllHappen() {
    put("/a", 30_000);
    List<Completion<BatchResult>> all = new ArrayList<>();
    int edits = 24;
    for (int i = 0; i < edits; i++) {
      byte[] mark = new byte[100];
      Arrays.fill(mark, (byte) (i + 1));
      fixture.files().batch(List.of(splice("/a", 100L * i, 0, mark)), Durability.SYNC, all::add);
    }
    fixture.world().runUntil(() -> all.size() == edits);
    all.forEach(SpliceBatchTest::done);
    byte[] after = fixture.read("/a");
    assertEquals(30_000 + 100 * edits, after.length);
    for (int i = 0; i < edits; i++) {
      byte mark = (byte) (i + 1);
      int run = 0;
      for (int at = 0; at < after.length && run < 100; at++) {
        run = after[at] == mark ? run + 1 : 0;
      }
      assertEquals(100, run, "mark " + i);
    }
  }

  /** More than rides in the log is placed before the commit. */
  @Test
  void largeEditsOfSeveralFiles() {
    byte[] first = put("/a", 100_000);
    byte[] second = put("/b", 100_000);
    byte[] much = bytes(70_000);
    done(
        fixture.batch(
            splice("/a", 50_001, 10, much),
            splice("/b", 3, 0, much),
            splice("/a", 0, 50_000, new byte[0])));
    byte[] expected = spliced(spliced(first, 50_001, 10, much), 0, 50_000, new byte[0]);
    assertArrayEquals(expected, fixture.read("/a"));
    assertArrayEquals(spliced(second, 3, 0, much), fixture.read("/b"));
    fixture = fixture.reopen();
    assertArrayEquals(expected, fixture.read("/a"));
  }

  @Test
  void aTransactionSeesItsEditsAndNobodyElseBeforeTheCommit() {
    byte[] before = put("/a", 30_000);
    byte[] some = bytes(500);
    FileTransaction transaction = fixture.get(port -> fixture.files().begin(port));
    fixture.<BatchResult>get(
        port ->
            transaction.batch(List.of(splice("/a", 7, 0, some), splice("/a", 0, 7, some)), port));
    byte[] expected = spliced(spliced(before, 7, 0, some), 0, 7, some);
    fixture.<BatchResult>get(
        port -> transaction.batch(List.of(splice("/a", 20_000, 100, some)), port));
    expected = spliced(expected, 20_000, 100, some);
    assertArrayEquals(expected, fixture.read(transaction, "/a"));
    assertArrayEquals(before, fixture.read("/a"));
    fixture.<Long>get(port -> transaction.commit(Durability.SYNC, port));
    assertArrayEquals(expected, fixture.read("/a"));

    FileTransaction given = fixture.get(port -> fixture.files().begin(port));
    fixture.<BatchResult>get(port -> given.batch(List.of(splice("/a", 1, 1, some)), port));
    given.rollback();
    FileTransaction late = fixture.get(port -> fixture.files().begin(port));
    done(fixture.batch(splice("/a", 0, 0, some)));
    failed(
        Failure.Conflict.class,
        "/a",
        fixture.<BatchResult>await(port -> late.batch(List.of(splice("/a", 1, 1, some)), port)));
    expected = spliced(expected, 0, 0, some);
    fixture = fixture.crash();
    assertArrayEquals(expected, fixture.read("/a"));
  }

  /** What is being read for the edit, and what was written for it, comes back. */
  @Test
  void aTransactionEndsWhileAnEditIsPrepared() {
    byte[] before = put("/a", 200_000);
    for (int turns = 0; turns < 30; turns++) {
      FileTransaction transaction = fixture.get(port -> fixture.files().begin(port));
      List<Completion<BatchResult>> answers = new ArrayList<>();
      transaction.batch(List.of(splice("/a", 100_000, 0, bytes(70_000))), answers::add);
      int[] left = {turns};
      fixture.world().runUntil(() -> left[0]-- <= 0 || !answers.isEmpty());
      transaction.rollback();
      fixture.world().runUntil(() -> !answers.isEmpty());
    }
    assertArrayEquals(before, fixture.read("/a"));
    fixture = fixture.reopen();
    assertArrayEquals(before, fixture.read("/a"));
  }
}
