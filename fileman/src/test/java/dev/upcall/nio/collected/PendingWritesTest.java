package dev.upcall.nio.collected;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.MetadataChange;
import dev.upcall.UpcallException;
import dev.upcall.completion.Failure;
import dev.upcall.store.Durability;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Collected writes of one file over files whose commits are slow, or fail. */
class PendingWritesTest {
  /** Files of which a commit ends when it may. */
  private static final class Slow extends MemoryFiles {
    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @Override
    public long write(long id, List<Piece> pieces, Durability durability) {
      began.countDown();
      try {
        mayEnd.await();
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
      return super.write(id, pieces, durability);
    }
  }

  @Test
  void whatCannotBeCommittedIsKeptAndToldAndTriedAgain() {
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20);
    PendingWrites writes = all.of(1);
    files.refusesWrites(true);
    assertEquals(3, writes.collect(FilesById.AT_END, ByteBuffer.wrap(new byte[] {1, 2, 3})));
    assertThrows(UpcallException.Busy.class, writes::settle);
    all.settleForOthers(); // whose business it is not
    assertEquals(3, writes.reads().sizeBytes());
    ByteBuffer read = ByteBuffer.allocate(5);
    assertEquals(3, writes.reads().read(0, read));
    assertThrows(
        UpcallException.Busy.class,
        () -> writes.collect(FilesById.AT_END, ByteBuffer.wrap(new byte[] {4})));
    assertThrows(UpcallException.Busy.class, all::settle);
    files.refusesWrites(false);
    assertEquals(4, writes.collect(FilesById.AT_END, ByteBuffer.wrap(new byte[] {4})));
    writes.close();
    assertEquals(4, files.sizeBytes(1));
    assertEquals(4, writes.reads().sizeBytes());
  }

  @Test
  void whoComesWhileAnotherCommitsDoesNotComeAgainAtOnce() throws Exception {
    Slow files = new Slow();
    WriteBehind all = new WriteBehind(files, 16L << 20);
    PendingWrites writes = all.of(1);
    ByteBuffer worth = ByteBuffer.allocate(all.worthBytes());
    writes.collect(0, worth.duplicate());
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> settled = other.submit(writes::settle);
      files.began.await();
      writes.collect(worth.capacity(), worth.duplicate());
      assertEquals(PendingWrites.Left.LITTLE, writes.commitSome());
      files.mayEnd.countDown();
      settled.get();
    }
    writes.settle();
    assertEquals(PendingWrites.Left.NOTHING, writes.commitSome());
    assertEquals(2L * worth.capacity(), files.sizeBytes(1));
  }

  @Test
  void aReadWaitsForNoCommit() throws Exception {
    Slow files = new Slow();
    PendingWrites writes = new WriteBehind(files, 16L << 20).of(1);
    writes.collect(10, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> settled = other.submit(writes::settle);
      files.began.await();
      writes.collect(20, ByteBuffer.wrap(new byte[] {4}));
      byte[] read = new byte[30];
      ByteBuffer into = ByteBuffer.wrap(read);
      Arrays.fill(read, (byte) 9);
      assertEquals(10, writes.reads().read(0, into), "zeros before what is being committed");
      assertEquals(3, writes.reads().readLater(10, into).resultNow());
      assertEquals(
          7, writes.reads().readLater(13, into).resultNow(), "zeros before what is collected");
      assertEquals(1, writes.reads().read(20, into));
      assertEquals(-1, writes.reads().readLater(21, into).resultNow());
      byte[] expected = Arrays.copyOf(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3}, 30);
      expected[20] = 4;
      Arrays.fill(expected, 21, 30, (byte) 9);
      assertArrayEquals(expected, read);
      files.mayEnd.countDown();
      settled.get();
    }
    writes.settle();
  }

  @Test
  void aReadThatACommitOvertakesAsksAgain() {
    List<PendingWrites> one = new ArrayList<>();
    MemoryFiles files =
        new MemoryFiles() {
          @Override
          public int read(long id, long offset, ByteBuffer into) {
            int count = super.read(id, offset, into);
            one.getFirst().settle(); // between its answer and the one who asked
            return count;
          }
        };
    // Nobody else commits: of what is about to be committed a read may give less.
    PendingWrites writes = new WriteBehind(files, 16L << 20, Long.MAX_VALUE / 2).of(1);
    one.add(writes);
    for (boolean later : new boolean[] {false, true}) {
      long offset = writes.reads().sizeBytes();
      writes.collect(offset + 2, ByteBuffer.wrap(new byte[] {7}));
      byte[] read = {9, 9, 9};
      ByteBuffer into = ByteBuffer.wrap(read);
      assertEquals(
          3,
          later
              ? writes.reads().readLater(offset, into).resultNow()
              : writes.reads().read(offset, into));
      assertArrayEquals(new byte[] {0, 0, 7}, read);
    }
  }

  @Test
  void memoryIsBounded() {
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20);
    files.refusesWrites(true);
    PendingWrites writes = all.of(1);
    ByteBuffer large = ByteBuffer.allocate(200 << 10);
    writes.collect(FilesById.AT_END, large.duplicate());
    assertThrows(UpcallException.Busy.class, writes::settle);
    List<PendingWrites> others = new ArrayList<>();
    int taken = 1;
    for (int file = 2; file < 100; file++) {
      PendingWrites other = all.of(file);
      others.add(other);
      if (other.collect(0, large.duplicate()) > 0) {
        taken++;
      }
    }
    assertEquals((2 << 20) / (200 << 10), taken, "2 MiB of 16");
    others.forEach(PendingWrites::discard);
    writes.discard();
    assertEquals(200 << 10, all.of(200).collect(0, large.duplicate()));
  }

  @Test
  void collect_noMemoryLeft_beginsNothingThatIsCommitted() {
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20, Long.MAX_VALUE / 2);
    files.refusesWrites(true); // so that the thread that commits gives no memory back
    List<PendingWrites> others = new ArrayList<>();
    for (int file = 10; file < 18; file++) {
      PendingWrites other = all.of(file);
      others.add(other);
      assertEquals(256 << 10, other.collect(0, ByteBuffer.allocate(256 << 10)));
    }
    PendingWrites writes = all.of(1);
    assertEquals(-1, writes.collect(0, ByteBuffer.allocate(200 << 10)));
    assertFalse(writes.isAny());
    writes.settle();
    all.settleForOthers();
    assertEquals(0, files.commitsWithoutPieces());
    files.refusesWrites(false);
    others.forEach(PendingWrites::close);
    assertTrue(all.isSettled());
    assertEquals(1, writes.collect(0, ByteBuffer.allocate(1)));
    writes.close();
    assertEquals(0, files.commitsWithoutPieces());
  }

  @Test
  void collect_behindLargestOffset_takesNothing() {
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20, Long.MAX_VALUE / 2);
    PendingWrites writes = all.of(1);
    for (long offset : new long[] {FilesById.MAX_BYTES - 1, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
      assertEquals(-1, writes.collect(offset, ByteBuffer.allocate(2)), "at " + offset);
      assertEquals(-1, writes.tryCollect(offset, ByteBuffer.allocate(2)), "at " + offset);
    }
    assertEquals(3, writes.collect(1, ByteBuffer.allocate(2)));
    assertEquals(-1, writes.tryCollect(Long.MAX_VALUE - 1, ByteBuffer.allocate(2)));
    writes.close();
    assertEquals(List.of("1:2"), files.written);
  }

  @Test
  void collect_noThreadToBeHad_takesNothing() {
    MemoryFiles files = new MemoryFiles();
    AtomicReference<Thread> had = new AtomicReference<>();
    WriteBehind all = new WriteBehind(files, 16L << 20, 1, (_, _) -> had.get());
    PendingWrites writes = all.of(1);
    ByteBuffer from = ByteBuffer.wrap(new byte[] {1, 2});
    for (int i = 0; i < 2; i++) { // the second one asks for a thread, too
      assertEquals(-1, writes.collect(0, from));
      assertEquals(2, from.remaining());
      assertTrue(all.isSettled());
    }
    had.set(Thread.currentThread());
    assertEquals(2, writes.collect(0, from));
    writes.settle();
    assertArrayEquals(new byte[] {1, 2}, files.content(1));
  }

  @Test
  void settleForOthers_commitEndsInError_isTheFilesOwn() {
    OutOfMemoryError noMemory = new OutOfMemoryError("the test's");
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20, Long.MAX_VALUE / 2);
    PendingWrites writes = all.of(1);
    writes.collect(0, ByteBuffer.wrap(new byte[] {1, 2}));
    files.fails(noMemory);
    all.settleForOthers();
    assertSame(noMemory, assertThrows(OutOfMemoryError.class, writes::settle));
    assertSame(noMemory, assertThrows(OutOfMemoryError.class, all::settle), "who forces all");
    files.fails(null);
    all.settle();
    assertArrayEquals(new byte[] {1, 2}, files.content(1));
    assertTrue(all.isSettled());
  }

  @Test
  void settle_fileIsGone_isToldOnceAndNothingIsKept() {
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20, Long.MAX_VALUE / 2);
    PendingWrites writes = all.of(1);
    writes.collect(0, ByteBuffer.allocate(100));
    files.fails(UpcallException.of(new Failure.NotFound("the test's")));
    all.settle(); // a file that is gone is nobody's failure but its own channels'
    assertTrue(all.isSettled());
    files.fails(null);
    writes.collect(0, ByteBuffer.allocate(100));
    files.fails(UpcallException.of(new Failure.NotFound("the test's")));
    assertThrows(UpcallException.NotFound.class, writes::settle);
    assertFalse(writes.isAny());
    writes.close();
    assertEquals(List.of(), files.written);
  }

  // ------------------------------------------------------------------ metadata

  private static final MetadataChange MODE = MetadataChange.NONE.withMode(0600);

  private static MetadataChange modified(long nanos) {
    return MetadataChange.NONE.withModifiedNanos(nanos);
  }

  @Test
  void collectMetadata_severalChanges_areOneCommit() {
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20, Long.MAX_VALUE / 2);
    PendingWrites writes = all.of(1);
    assertTrue(writes.collect(modified(5)));
    assertTrue(all.of(1).collect(MODE), "whoever comes next has the same");
    assertTrue(writes.collect(modified(7)));
    assertTrue(all.isPending(1));
    assertEquals(0, writes.reads().sizeBytes());
    writes.settle();
    assertEquals(List.of("1:OptionalInt[384]OptionalLong[7]"), files.written);
    assertTrue(all.isSettled());
  }

  @Test
  void collectMetadata_betweenWrites_keepsTheOrder() {
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20, Long.MAX_VALUE / 2);
    PendingWrites writes = all.of(1);
    writes.collect(0, ByteBuffer.allocate(3));
    assertFalse(writes.collect(MODE), "it would have to wait for the writes");
    writes.settle();
    assertTrue(writes.collect(MODE));
    assertEquals(-1, writes.tryCollect(3, ByteBuffer.allocate(2)));
    assertEquals(5, writes.collect(3, ByteBuffer.allocate(2)));
    writes.close();
    assertEquals(List.of("1:3", "1:OptionalInt[384]OptionalLong.empty", "1:2"), files.written);
  }

  @Test
  void collectMetadata_moreFilesThanMemory_isBounded() {
    WriteBehind all = new WriteBehind(new MemoryFiles(), 16L << 20, Long.MAX_VALUE / 2);
    int taken = 0;
    while (all.of(taken).collect(MODE)) {
      taken++;
    }
    assertEquals((2 << 20) / 512, taken, "2 MiB of 16");
  }

  @Test
  void collectMetadata_fileIsBusy_isTriedAgainWithoutBeingAsked() {
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20, 1000);
    files.refusesWrites(true);
    assertTrue(all.of(1).collect(MODE));
    all.settleForOthers();
    assertFalse(all.isSettled());
    files.refusesWrites(false);
    assertTimeoutPreemptively(
        Duration.ofSeconds(60),
        () -> {
          while (!all.isSettled()) {
            Thread.onSpinWait();
          }
        });
    assertEquals(List.of("1:OptionalInt[384]OptionalLong.empty"), files.written);
  }

  // ------------------------------------------------------------------ ahead of a request

  @Test
  void ahead_ofARequest_isCommittedBeforeIt() {
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20, Long.MAX_VALUE / 2);
    assertNull(all.ahead());
    all.of(1).collect(0, ByteBuffer.allocate(3));
    all.of(2).collect(MODE);
    Ahead ahead = assertNotNull(all.ahead());
    ahead.commit(() -> files.written.add("request"));
    ahead.ended();
    assertEquals(List.of("1:3", "2:OptionalInt[384]OptionalLong.empty", "request"), files.written);
    assertTrue(all.isSettled());
  }

  @Test
  void ahead_ofARequestThatIsNotMade_isCommittedByTheNext() {
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20, Long.MAX_VALUE / 2);
    PendingWrites writes = all.of(1);
    writes.collect(0, ByteBuffer.allocate(3));
    assertNotNull(all.ahead()).ended();
    assertEquals(List.of(), files.written);
    writes.settle();
    assertEquals(List.of("1:3"), files.written);
  }

  @Test
  void ahead_fails_isTheFilesOwn() {
    MemoryFiles files = new MemoryFiles();
    WriteBehind all = new WriteBehind(files, 16L << 20, Long.MAX_VALUE / 2);
    PendingWrites writes = all.of(1);
    writes.collect(0, ByteBuffer.wrap(new byte[] {1, 2}));
    files.refusesWrites(true);
    List<String> made = new ArrayList<>();
    Ahead ahead = assertNotNull(all.ahead());
    ahead.commit(() -> made.add("request"));
    ahead.ended();
    assertEquals(List.of("request"), made);
    assertThrows(UpcallException.Busy.class, writes::settle);
    files.refusesWrites(false);
    writes.settle();
    assertArrayEquals(new byte[] {1, 2}, files.content(1));
  }

  private static <T> T assertNotNull(@Nullable T value) {
    return Objects.requireNonNull(value);
  }
}
