package dev.upcall;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.EditPolicy;
import dev.upcall.request.FileRequest;
import dev.upcall.store.Durability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranges that are copied from file to file, and within files. */
class CopyRangeTest {
  private static final int BLOCK = 4096;

  private final SplittableRandom random = new SplittableRandom(7);
  private FilesFixture fixture = FilesFixture.create(7);

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

  private byte[] put(String path, byte[] content) {
    done(
        fixture.batch(
            new FileRequest.Put(path(path), new FileContent.Bytes(content), PutOptions.DEFAULT)));
    return content;
  }

  private static FileRequest insert(String from, long first, long bytes, String to, long offset) {
    return new FileRequest.CopyRange(
        new FileRequest.Range(path(from), first, bytes),
        path(to),
        offset,
        FileRequest.Placing.INSERT);
  }

  private static FileRequest over(String from, long first, long bytes, String to, long offset) {
    return new FileRequest.CopyRange(
        new FileRequest.Range(path(from), first, bytes),
        path(to),
        offset,
        FileRequest.Placing.OVERWRITE);
  }

  private static byte[] join(byte[]... parts) {
    int size = 0;
    for (byte[] part : parts) {
      size += part.length;
    }
    byte[] all = new byte[size];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  private static byte[] part(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
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

  private long copiedBytes() {
    return fixture.files().store().metrics().work().editCopiedBytes();
  }

  private long sharedBlocks() {
    return fixture.verified().sharedBlocks();
  }

  /** What it has fewer blocks of is copied; what is shared stays shared, and has no short side. */
  @ParameterizedTest
  @CsvSource({"none, 0, 0", "eos 8, 12, 40", "esm 8, 2, 16", "starburst, 45, 50"})
  void thePolicyOfTheTargetIsAsked(String text, int leastBlocks, int mostBlocks) {
    byte[] source = put("/s", bytes(200_000));
    byte[] target = put("/t", bytes(400_000));
    for (int i = -3; i < 3; i++) {
      byte[] some = bytes(10);
      int offset = 200_000 + 2 * BLOCK * i;
      done(fixture.batch(new FileRequest.Splice(path("/t"), offset, 0, some)));
      target = join(part(target, 0, offset), some, part(target, offset, target.length));
    }
    EditPolicy policy = EditPolicy.parse(text.getBytes(US_ASCII)).orElse(EditPolicy.NONE);
    done(
        fixture.batch(
            new FileRequest.SetMetadata(
                path("/t"), LinkPolicy.FOLLOW, MetadataChange.NONE.withEditPolicy(policy))));
    long before = copiedBytes();
    done(fixture.batch(insert("/s", 1000, 150_000, "/t", 200_050)));
    target =
        join(
            part(target, 0, 200_050),
            part(source, 1000, 151_000),
            part(target, 200_050, target.length));
    assertArrayEquals(target, fixture.read("/t"));
    long blocks = (copiedBytes() - before + BLOCK - 1) / BLOCK;
    assertTrue(leastBlocks <= blocks && blocks <= mostBlocks, () -> blocks + " blocks copied");
    assertEquals(151_000 / BLOCK - 1000 / BLOCK + 1, sharedBlocks());
    long shared = sharedBlocks();
    done(fixture.batch(insert("/s", 38 * BLOCK, 3 * BLOCK, "/t", 50_000)));
    target =
        join(
            part(target, 0, 50_000),
            part(source, 38 * BLOCK, 41 * BLOCK),
            part(target, 50_000, target.length));
    assertArrayEquals(target, fixture.read("/t"));
    // Starburst shares any, and copies what is behind it, shared or not.
    long expected =
        switch (policy) {
          case EditPolicy.None _ -> shared + 3;
          case EditPolicy.Eos _, EditPolicy.Esm _ -> shared;
          case EditPolicy.Starburst _ -> 3;
        };
    assertEquals(expected, sharedBlocks());
    fixture = fixture.crash();
    assertArrayEquals(target, fixture.read("/t"));
  }

  @Test
  void aRangeIsSharedByteByByteAtBothEnds() {
    byte[] source = put("/s", bytes(300_001));
    byte[] target = put("/t", bytes(200_003));
    assertEquals(0, sharedBlocks());
    done(fixture.batch(insert("/s", 5001, 250_000, "/t", 100_007)));
    byte[] expected =
        join(
            part(target, 0, 100_007),
            part(source, 5001, 255_001),
            part(target, 100_007, target.length));
    assertArrayEquals(expected, fixture.read("/t"));
    assertEquals(255_001 / BLOCK - 5001 / BLOCK + 1, sharedBlocks());
    assertArrayEquals(source, fixture.read("/s"));
    done(fixture.batch(over("/s", 0, 100_000, "/t", 300_000)));
    expected =
        join(
            part(expected, 0, 300_000),
            part(source, 0, 100_000),
            part(expected, 400_000, expected.length));
    assertArrayEquals(expected, fixture.read("/t"));
    fixture = fixture.crash();
    assertArrayEquals(expected, fixture.read("/t"));
    // Each goes on without the other.
    done(fixture.batch(new FileRequest.Splice(path("/s"), 0, 200_000, bytes(100))));
    done(fixture.batch(new FileRequest.Delete(path("/s"))));
    assertArrayEquals(expected, fixture.read("/t"));
    // Both ranges had these.
    assertEquals(100_000 / BLOCK, sharedBlocks());
    fixture = fixture.reopen();
    assertArrayEquals(expected, fixture.read("/t"));
    done(fixture.batch(new FileRequest.Delete(path("/t"))));
  }

  /** What was copied is what the file was before, also where it lands in its own middle. */
  @Test
  void aFileIntoItself() {
    byte[] before = put("/a", bytes(100_000));
    done(fixture.batch(insert("/a", 0, FileRequest.Range.TO_END, "/a", 50_000)));
    byte[] expected = join(part(before, 0, 50_000), before, part(before, 50_000, 100_000));
    assertArrayEquals(expected, fixture.read("/a"));
    done(fixture.batch(over("/a", 10, 150_000, "/a", 20_000)));
    expected =
        join(
            part(expected, 0, 20_000),
            part(expected, 10, 150_010),
            part(expected, 170_000, 200_000));
    assertArrayEquals(expected, fixture.read("/a"));
    done(
        fixture.batch(
            new FileRequest.Splice(path("/a"), 0, 4096, new byte[0]),
            insert("/a", 0, 60_000, "/a", 150_000),
            new FileRequest.Splice(path("/a"), 30_000, 100_000, bytes(7).clone()),
            over("/a", 1, 20_000, "/a", 0)));
    assertEquals(200_000 - 4096 + 60_000 - 100_000 + 7, fixture.stat("/a").sizeBytes());
    byte[] after = fixture.read("/a");
    assertArrayEquals(part(expected, 4097, 24_097), part(after, 0, 20_000));
    fixture = fixture.crash();
    assertArrayEquals(after, fixture.read("/a"));
    assertTrue(sharedBlocks() > 0);
    done(fixture.batch(new FileRequest.Delete(path("/a"))));
    fixture = fixture.reopen();
    assertEquals(0, sharedBlocks());
  }

  /** Files of whole blocks that are put behind each other make a file that needs no map. */
  @Test
  void filesAreJoinedAndDivided() {
    byte[] all = {};
    List<FileRequest> joins = new ArrayList<>();
    put("/all", all);
    for (int i = 0; i < 10; i++) {
      all = join(all, put("/f" + i, bytes(i == 9 ? 90_001 : 20 * BLOCK)));
      joins.add(insert("/f" + i, 0, FileRequest.Range.TO_END, "/all", (long) i * 20 * BLOCK));
    }
    long placed = fixture.verified().contentBlocks();
    done(fixture.batch(joins.toArray(new FileRequest[0])));
    assertArrayEquals(all, fixture.read("/all"));
    assertEquals(9 * 20 + 21, sharedBlocks());
    assertEquals(
        placed + 1, fixture.verified().contentBlocks() + fixture.verified().unplacedBlocks());
    for (int i = 0; i < 10; i++) {
      done(fixture.batch(new FileRequest.Delete(path("/f" + i))));
    }
    put("/head", new byte[0]);
    done(
        fixture.batch(
            insert("/all", 0, 123_457, "/head", 0),
            new FileRequest.Splice(path("/all"), 0, 123_457, new byte[0])));
    assertArrayEquals(part(all, 0, 123_457), fixture.read("/head"));
    assertArrayEquals(part(all, 123_457, all.length), fixture.read("/all"));
    fixture = fixture.crash();
    assertArrayEquals(part(all, 0, 123_457), fixture.read("/head"));
    assertArrayEquals(part(all, 123_457, all.length), fixture.read("/all"));
  }

  /** What has no place yet is copied, and of small files all. */
  @Test
  void whatHasNoPlace() {
    byte[] small = put("/small", bytes(100));
    byte[] some = put("/some", bytes(30_000));
    byte[] large = put("/large", bytes(200_000));
    byte[] patch = bytes(9000);
    done(fixture.batch(new FileRequest.Splice(path("/large"), 50_001, patch.length, patch)));
    large = join(part(large, 0, 50_001), patch, part(large, 59_001, 200_000));
    put("/t", new byte[0]);
    done(
        fixture.batch(
            insert("/small", 1, 98, "/t", 0),
            insert("/some", 7, 29_000, "/t", 98),
            insert("/large", 3, 199_000, "/t", 29_098),
            new FileRequest.Delete(path("/some")),
            new FileRequest.Delete(path("/large"))));
    byte[] expected = join(part(small, 1, 99), part(some, 7, 29_007), part(large, 3, 199_003));
    assertArrayEquals(expected, fixture.read("/t"));
    fixture = fixture.crash();
    assertArrayEquals(expected, fixture.read("/t"));
  }

  @Test
  void whatCannotBeMeantChangesNothing() {
    byte[] content = put("/a", bytes(5000));
    put("/b", bytes(70_000));
    done(fixture.batch(new FileRequest.CreateDirectory(path("/d"))));
    done(fixture.batch(new FileRequest.SymbolicLink(path("/l"), "/b", MetadataChange.NONE)));
    FileRequest good = insert("/b", 0, 1, "/a", 0);
    failed(
        Failure.Invalid.class,
        "which has 70000",
        fixture.batch(good, insert("/b", 70_001, 0, "/a", 0)));
    failed(
        Failure.Invalid.class, "which has 70000", fixture.batch(insert("/b", 1, 70_000, "/a", 0)));
    failed(Failure.Invalid.class, "which has 70000", fixture.batch(insert("/b", -1, 1, "/a", 0)));
    failed(Failure.Invalid.class, "which has 70000", fixture.batch(insert("/b", 0, -1, "/a", 0)));
    failed(
        Failure.Invalid.class,
        "which has 70000",
        fixture.batch(insert("/b", 70_001, FileRequest.Range.TO_END, "/a", 0)));
    failed(Failure.Invalid.class, "which has 5000", fixture.batch(insert("/b", 0, 1, "/a", 5001)));
    failed(
        Failure.Invalid.class, "which has 5001", fixture.batch(good, over("/b", 0, 1, "/a", 5002)));
    failed(Failure.Invalid.class, "directory", fixture.batch(insert("/d", 0, 0, "/a", 0)));
    failed(Failure.Invalid.class, "directory", fixture.batch(insert("/a", 0, 0, "/d", 0)));
    failed(Failure.Invalid.class, "symbolic link", fixture.batch(insert("/a", 0, 0, "/l", 0)));
    failed(Failure.NotFound.class, "/x", fixture.batch(good, insert("/x", 0, 0, "/a", 0)));
    failed(Failure.NotFound.class, "/x", fixture.batch(good, insert("/a", 0, 0, "/x", 0)));
    failed(Failure.Invalid.class, "use two", fixture.batch(good, insert("/a", 0, 1, "/b", 0)));
    failed(
        Failure.Invalid.class,
        "brings",
        fixture.batch(
            new FileRequest.Put(path("/a"), new FileContent.Bytes(content), PutOptions.DEFAULT),
            good));
    FileRequest clone = new FileRequest.Clone(path("/a"), path("/copy"), Existence.MUST_NOT_EXIST);
    failed(Failure.Invalid.class, "cloned and edited", fixture.batch(good, clone));
    failed(
        Failure.VersionMismatch.class,
        "/a",
        fixture.batch(
            new FileRequest.CopyRange(
                new FileRequest.Range(path("/b"), 0, 1),
                path("/a"),
                0,
                FileRequest.Placing.INSERT,
                FileCondition.only(new FileVersion(1, 99)))));
    assertArrayEquals(content, fixture.read("/a"));
    // A link leads to the source.
    done(fixture.batch(insert("/l", 0, 10, "/a", 0)));
    assertEquals(5010, fixture.stat("/a").sizeBytes());
    // A sparse file of more than one batch copies.
    long much = FileRequest.MAX_COPIED_BYTES;
    FileHandle handle =
        fixture.get(port -> fixture.files().open(path("/b"), OpenMode.EXISTING, port));
    fixture.<Unit>get(port -> handle.truncate(much + 1, port));
    fixture.<Unit>get(handle::close);
    failed(Failure.TooLarge.class, "one batch", fixture.batch(insert("/b", 0, much + 1, "/a", 0)));
    failed(
        Failure.TooLarge.class,
        "one batch",
        fixture.batch(insert("/b", 0, much, "/a", 0), insert("/b", 0, 1, "/a", 0)));
  }

  @Test
  void aTransactionHoldsItsSource() {
    byte[] source = put("/s", bytes(100_000));
    put("/t", new byte[0]);
    FileTransaction transaction = fixture.get(port -> fixture.files().begin(port));
    fixture.<BatchResult>get(
        port -> transaction.batch(List.of(insert("/s", 10, 90_000, "/t", 0)), port));
    byte[] copied = part(source, 10, 90_010);
    assertArrayEquals(copied, fixture.read(transaction, "/t"));
    assertEquals(0, fixture.stat("/t").sizeBytes());
    fixture.<BatchResult>get(
        port ->
            transaction.batch(
                List.of(insert("/t", 0, 50_000, "/t", 90_000), new FileRequest.Delete(path("/s"))),
                port));
    fixture.<Long>get(port -> transaction.commit(Durability.SYNC, port));
    assertArrayEquals(join(copied, part(copied, 0, 50_000)), fixture.read("/t"));

    put("/s", source);
    FileTransaction late = fixture.get(port -> fixture.files().begin(port));
    done(fixture.batch(new FileRequest.Splice(path("/s"), 0, 1, new byte[0])));
    failed(
        Failure.Conflict.class,
        "somebody else",
        fixture.<BatchResult>await(
            port -> late.batch(List.of(insert("/s", 0, 50_000, "/t", 0)), port)));
    fixture = fixture.crash();
    assertArrayEquals(join(copied, part(copied, 0, 50_000)), fixture.read("/t"));
  }

  /** Each finds that another was quicker, and does it again on what is there then. */
  @Test
  void copiesIntoEachOtherAtOnceAllHappen() {
    put("/a", bytes(30_000));
    put("/b", bytes(20_000));
    List<Completion<BatchResult>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      fixture.files().batch(List.of(insert("/a", 0, 9000, "/b", 0)), Durability.SYNC, all::add);
      fixture.files().batch(List.of(insert("/b", 0, 9000, "/a", 0)), Durability.SYNC, all::add);
    }
    fixture.world().runUntil(() -> all.size() == 16);
    all.forEach(CopyRangeTest::done);
    assertEquals(30_000 + 8 * 9000, fixture.stat("/a").sizeBytes());
    assertEquals(20_000 + 8 * 9000, fixture.stat("/b").sizeBytes());
  }
}
