package dev.upcall.access;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.Disk;
import dev.upcall.io.IoClass;
import dev.upcall.segment.ContentReader;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.StoreOptions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads that go over many pieces, of a file of which nothing is in memory. */
class PiecedReadsTest {
  private static final long ID = 200;
  private static final int BLOCK = Disk.BLOCK_BYTES;
  private static final int PIECE_BLOCKS = 3;
  private static final int PIECES = 120;

  /** So many requests in flight are of several pieces. */
  private static final int SEVERAL = 8;

  private StoreFixture store = opened(formatted());
  private byte[] content = new byte[0];

  private static SimWorld formatted() {
    SimWorld world = SimWorld.ofBlocks(5, 4096);
    StoreFixture.format(world);
    return world;
  }

  /** With pages of trees as large as they are: one has all pieces. */
  private static StoreFixture opened(SimWorld world) {
    StoreOptions tiny = StoreFixture.tinyOptions(7);
    StoreOptions whole =
        new StoreOptions(tiny.config(), 0, /* treeFanOut= */ 0, new SplittableRandom(7));
    return Objects.requireNonNull(StoreFixture.tryOpen(world, whole));
  }

  /** Cuts leave pieces that begin and end within blocks, and nothing that has no place. */
  @BeforeEach
  void edit() {
    content = StoreFixture.bytes(1, PIECES * PIECE_BLOCKS * BLOCK);
    store.put(ID, content);
    SegmentHandle handle =
        world()
            .get(
                port ->
                    Segments.open(store.store(), Segments.Target.of(ID), StoreFixture.OWNER, port));
    for (int i = PIECES - 1; i > 0; i--) {
      int at = i * PIECE_BLOCKS * BLOCK - 100;
      done(port -> handle.splice(at, 200, ByteBuffer.allocate(0), port));
      byte[] after = Arrays.copyOf(content, content.length - 200);
      System.arraycopy(content, at + 200, after, at, after.length - at);
      content = after;
    }
    done(handle::close);
    store = opened(world().crashAndReopen());
  }

  @AfterEach
  void close() {
    assertInstanceOf(Completion.Done.class, store.close());
  }

  private SimWorld world() {
    return store.world();
  }

  private void done(Consumer<CompletionPort<Unit>> request) {
    assertInstanceOf(Completion.Done.class, world().await(request::accept));
  }

  private PinnedContent pin() {
    Completion<PinnedContent> pinned = Objects.requireNonNull(store.pin(ID));
    PinnedContent found = ((Completion.Done<PinnedContent>) pinned).value();
    PieceMap map = found.inode().layout().pieces();
    assertNotNull(map);
    assertNotNull(map.folded(), "the map has a tree");
    assertTrue(map.pieceCount() >= PIECES, map::toString);
    return found;
  }

  /** A read under way. */
  private final class Read {
    private @Nullable Completion<ContentSlice> completion;

    Read(PinnedContent from, int offset, int bytes) {
      from.read(offset, bytes, IoClass.FOREGROUND_READ, read -> completion = read);
    }

    boolean isDone() {
      return completion != null;
    }

    /** Its bytes, or none when it failed. */
    byte[] bytes() {
      world().runUntil(this::isDone);
      if (!(completion instanceof Completion.Done<ContentSlice>(ContentSlice slice))) {
        return new byte[0];
      }
      ByteBuffer bytes = ByteBuffer.allocate(slice.sizeBytes());
      slice.buffers().forEach(bytes::put);
      slice.release();
      return bytes.array();
    }

    Failure failure() {
      return ((Completion.Failed<ContentSlice>) Objects.requireNonNull(completion)).failure();
    }
  }

  private int compared(Read read, int offset) {
    byte[] bytes = read.bytes();
    assertTrue(bytes.length > 0, () -> read.failure().message());
    assertArrayEquals(Arrays.copyOfRange(content, offset, offset + bytes.length), bytes);
    return bytes.length;
  }

  /** How many reads of so many bytes a whole file takes. */
  private int readAll(PinnedContent from, int mostBytes) {
    int reads = 0;
    for (int at = 0; at < content.length; reads++) {
      at += compared(new Read(from, at, mostBytes), at);
    }
    return reads;
  }

  @Test
  void aReadAsksForAllItsPiecesAtOnce() {
    try (PinnedContent from = pin()) {
      Read read = new Read(from, 70, content.length / 2);
      assertTrue(world().runUntil(() -> world().disk().inFlight() >= SEVERAL));
      assertFalse(read.isDone());
      compared(read, 70);
    }
  }

  @Test
  void whoReadsInSequenceIsReadAheadOfOverItsPieces() {
    try (PinnedContent from = pin()) {
      int at = compared(new Read(from, 0, 1000), 0);
      compared(new Read(from, at, 1000), at);
      assertTrue(world().disk().inFlight() >= SEVERAL, () -> world().disk().inFlight() + " reads");
    }
  }

  @Test
  void eachBlockIsReadOnceAndThenSlicesGoOverPieces() {
    try (PinnedContent from = pin()) {
      long before = loadedBytes();
      readAll(from, 30_000);
      assertEquals(from.inode().layout().space().placedBlocks() * BLOCK, loadedBytes() - before);
      assertEquals(
          (content.length + 99_999) / 100_000, readAll(from, 100_000), "all of it is in memory");
      ContentSlice slice = Objects.requireNonNull(from.tryRead(5, 150_000));
      assertEquals(150_000, slice.sizeBytes());
      slice.release();
    }
  }

  private long loadedBytes() {
    return store.store().metrics().buffers().loadedBytes();
  }

  @Test
  void aPieceThatIsDamagedFailsWhoComesToItAndNobodyBefore() {
    try (PinnedContent from = pin()) {
      compared(new Read(from, 0, 1), 0); // pages of trees are in memory
      ContentReader.Place.Placed first =
          assertInstanceOf(ContentReader.Place.Placed.class, from.place(20 * PIECE_BLOCKS));
      world()
          .disk()
          .contents()
          .flipBit(first.entry().extent().block() + first.skip(), /* bit= */ 77);
      int at = 0;
      Read read = new Read(from, at, content.length);
      for (byte[] bytes = read.bytes(); bytes.length > 0; bytes = read.bytes()) {
        assertArrayEquals(Arrays.copyOfRange(content, at, at + bytes.length), bytes);
        at += bytes.length;
        read = new Read(from, at, content.length);
      }
      assertInstanceOf(Failure.Corrupt.class, read.failure());
      assertEquals(20 * (PIECE_BLOCKS * BLOCK - 200) + 100, at);
    } finally {
      world().closesUnchecked("a block is damaged");
    }
  }

  @Test
  void whatIsClosedDuringAReadLeavesNothingBehind() {
    PinnedContent from = pin();
    Read read = new Read(from, 0, content.length);
    world().runUntil(() -> world().disk().inFlight() >= SEVERAL);
    from.close();
    if (read.bytes().length == 0) {
      assertInstanceOf(Failure.Closed.class, read.failure());
    }
  }
}
