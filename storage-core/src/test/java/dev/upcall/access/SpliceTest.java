package dev.upcall.access;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.Kind;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskOperation;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.LayoutEditor;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.StoreOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Edits in the middle, through handles. */
class SpliceTest {
  private static final long ID = 200;
  private static final int BLOCK = Disk.BLOCK_BYTES;

  private final SimWorld world = SimWorld.ofBlocks(5, 4096);
  private StoreFixture store = formatted();

  private StoreFixture formatted() {
    StoreFixture.format(world);
    return StoreFixture.open(world);
  }

  @AfterEach
  void close() {
    assertInstanceOf(Completion.Done.class, store.close());
  }

  private SegmentHandle open() {
    return store
        .world()
        .get(
            port -> Segments.open(store.store(), Segments.Target.of(ID), StoreFixture.OWNER, port));
  }

  private Completion<Unit> asked(Consumer<CompletionPort<Unit>> request) {
    return store.world().await(request::accept);
  }

  private void done(Consumer<CompletionPort<Unit>> request) {
    assertInstanceOf(Completion.Done.class, asked(request));
  }

  private Inode inode() {
    return store
        .world()
        .get(
            port ->
                store.store().<Inode>query(view -> Completion.done(file(view.inode(ID))), port));
  }

  private static Inode file(@Nullable Inode inode) {
    assertNotNull(inode);
    assertEquals(Kind.FILE, inode.kind());
    return inode;
  }

  private @Nullable PieceMap pieces() {
    return inode().layout().pieces();
  }

  private static byte[] spliced(byte[] before, int offset, int removed, byte[] bytes) {
    byte[] after = Arrays.copyOf(before, before.length - removed + bytes.length);
    System.arraycopy(bytes, 0, after, offset, bytes.length);
    int rest = before.length - offset - removed;
    System.arraycopy(before, offset + removed, after, offset + bytes.length, rest);
    return after;
  }

  private byte[] splice(SegmentHandle handle, byte[] before, int offset, int removed, int length) {
    byte[] bytes = StoreFixture.bytes(offset + 7, length);
    done(port -> handle.splice(offset, removed, ByteBuffer.wrap(bytes), port));
    byte[] after = spliced(before, offset, removed, bytes);
    assertEquals(after.length, handle.sizeBytes());
    return after;
  }

  @Test
  void anInsertCopiesTheRestOfItsBlockAndMovesNothing() {
    byte[] content = StoreFixture.bytes(1, 40 * BLOCK);
    store.put(ID, content);
    SegmentHandle handle = open();
    content = splice(handle, content, 3 * BLOCK + 100, 0, 10);
    done(handle::close);
    assertArrayEquals(content, store.read(ID));
    PieceMap pieces = pieces();
    assertNotNull(pieces);
    assertEquals(
        PieceMap.of(
            41L * BLOCK - 90,
            List.of(
                new PieceMap.Piece(3 * BLOCK + 100, 0),
                new PieceMap.Piece(10 + BLOCK - 100, 40L * BLOCK),
                new PieceMap.Piece(36L * BLOCK, 4L * BLOCK))),
        pieces);
    store.verify();
  }

  @Test
  void aCutWithinABlockTakesNoBlock() {
    byte[] content = StoreFixture.bytes(1, 40 * BLOCK);
    store.put(ID, content);
    SegmentHandle handle = open();
    content = splice(handle, content, 3 * BLOCK + 100, 50, 0);
    done(handle::flush);
    PieceMap once =
        PieceMap.of(
            40L * BLOCK,
            List.of(
                new PieceMap.Piece(4 * BLOCK - 50, 0),
                new PieceMap.Piece(36L * BLOCK, 4L * BLOCK)));
    assertEquals(once, pieces());
    assertArrayEquals(content, store.read(ID));
    content = splice(handle, content, 3 * BLOCK + 20, 70, 0);
    content = splice(handle, content, 3 * BLOCK + 20, 1, 0);
    content = splice(handle, content, 10 * BLOCK, 3, 0);
    done(handle::close);
    PieceMap pieces = pieces();
    assertNotNull(pieces);
    assertEquals(3, pieces.pieces().size());
    assertEquals(List.of(new LayoutEditor.Range(0, 40)), pieces.blocks());
    assertArrayEquals(content, store.read(ID));
    store.verify();
  }

  @Test
  void aCutGivesItsBlocksBack() {
    byte[] content = StoreFixture.bytes(1, 40 * BLOCK);
    store.put(ID, content);
    SegmentHandle handle = open();
    content = splice(handle, content, BLOCK, 20 * BLOCK, 0);
    done(handle::close);
    assertArrayEquals(content, store.read(ID));
    PieceMap pieces = pieces();
    assertNotNull(pieces);
    assertEquals(
        List.of(new LayoutEditor.Range(0, 1), new LayoutEditor.Range(21, 40)), pieces.blocks());
    store.verify();
  }

  @Test
  void nearTheEndNoMapIsMade() {
    byte[] content = StoreFixture.bytes(1, 9 * BLOCK);
    store.put(ID, content);
    SegmentHandle handle = open();
    content = splice(handle, content, content.length - 50, 20, 90);
    content = splice(handle, content, content.length, 0, 90);
    content = splice(handle, content, content.length - 70, 70, 0);
    content = splice(handle, content, 100, 40, 40);
    done(handle::close);
    assertArrayEquals(content, store.read(ID));
    assertNull(pieces());
    store.verify();
  }

  @Test
  void nothingIsLeftOfAMapWhenAllIsCut() {
    byte[] content = StoreFixture.bytes(1, 9 * BLOCK);
    store.put(ID, content);
    SegmentHandle handle = open();
    splice(handle, content, 10, 0, 10);
    done(handle::flush);
    assertNotNull(pieces());
    done(port -> handle.truncate(0, port));
    byte[] other = splice(handle, new byte[0], 0, 0, 5000);
    done(handle::close);
    assertNull(pieces());
    assertArrayEquals(other, store.read(ID));
    store.verify();
  }

  /** With trees of four entries a page, so that the map's is several levels deep. */
  @Test
  void whatOutgrowsTheInodeIsFoldedIntoATree() {
    byte[] content = StoreFixture.bytes(1, 90 * BLOCK);
    store.put(ID, content);
    SegmentHandle handle = open();
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 60; i++) {
      int offset = random.nextInt(content.length - 10_000);
      content = splice(handle, content, offset, random.nextInt(9000), random.nextInt(3000));
      done(handle::flush);
      assertArrayEquals(content, store.read(ID));
    }
    done(handle::close);
    PieceMap.Folded tree = tree();
    assertTrue(tree.root().level() >= 2, tree::toString);
    store.verify();
    store = StoreFixture.open(store.world().crashAndReopen());
    assertArrayEquals(content, store.read(ID));
    store.verify();
    content = trimmed(content);
    assertArrayEquals(content, store.read(ID));
    store.verify();
    store.remove(ID);
    store.verify();
  }

  /** Both files share all pages but those that one of them changes. */
  @Test
  void aCloneSharesTheTreeAndEitherIsEditedOn() {
    byte[] content = folded(ID);
    long clone = ID + 1;
    done(
        port ->
            store
                .store()
                .<Unit>change(
                    (view, out) -> {
                      out.putClone(StoreFixture.file(clone), ID);
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port));
    store.verify();
    SegmentHandle handle = open();
    byte[] mine = content;
    for (int i = 0; i < 6; i++) {
      mine = splice(handle, mine, 6000 * i + 11, 50, 3000);
      done(handle::flush);
      store.verify();
    }
    done(handle::close);
    assertArrayEquals(content, store.read(clone));
    assertArrayEquals(mine, store.read(ID));
    store.remove(ID);
    store.verify();
    assertArrayEquals(content, store.read(clone));
    store.remove(clone);
    store.verify();
  }

  /** A file whose map is several levels deep. */
  private byte[] folded(long id) {
    byte[] content = StoreFixture.bytes(id, 60 * BLOCK);
    store.put(id, content);
    SegmentHandle handle = open();
    for (int i = 0; i < 40; i++) {
      content = splice(handle, content, 5000 * i + 77, 100, 30);
      done(handle::flush);
    }
    done(handle::close);
    assertTrue(tree().root().level() >= 2);
    return content;
  }

  /** One copy of each page is enough; without both the file cannot be read, and others can. */
  @Test
  void aCopyOfAMapIsEnoughAndAMapCostsItsFileAlone() {
    byte[] other = StoreFixture.bytes(9, 5 * BLOCK);
    store.put(ID + 1, other);
    byte[] content = folded(ID);
    PageRef root = tree().root();
    assertInstanceOf(Completion.Done.class, store.close());
    DiskImage sound = store.world().disk().contents().fork();
    for (long block : new long[] {root.addressA(), root.blocks()[1]}) {
      store = damaged(sound, block);
      assertArrayEquals(content, store.read(ID));
      assertInstanceOf(Completion.Done.class, store.close());
    }
    store = damaged(sound, root.addressA(), root.blocks()[1]);
    Completion<PinnedContent> pinned = store.pin(ID);
    try (PinnedContent without = ((Completion.Done<PinnedContent>) pinned).value()) {
      Completion<byte[]> read = StoreFixture.readAll(store.world(), without);
      assertInstanceOf(Failure.Corrupt.class, ((Completion.Failed<byte[]>) read).failure());
    }
    SegmentHandle handle = open();
    Completion<Unit> refused = asked(port -> handle.splice(5000, 3, ByteBuffer.allocate(0), port));
    assertInstanceOf(Failure.Corrupt.class, ((Completion.Failed<Unit>) refused).failure());
    handle.abandon();
    assertArrayEquals(other, store.read(ID + 1));
    store.remove(ID + 1);
  }

  private StoreFixture damaged(DiskImage sound, long... blocks) {
    DiskImage image = sound.fork();
    for (long block : blocks) {
      image.flipBit(block, 20_000);
    }
    return StoreFixture.recovered(world.reopen(image).closesUnchecked("pages are damaged"));
  }

  /** Most of the content goes at once, over many leaves, and then what is left of it. */
  private byte[] trimmed(byte[] before) {
    SegmentHandle handle = open();
    byte[] content = splice(handle, before, 5000, before.length - 30_000, 0);
    done(handle::flush);
    assertArrayEquals(content, store.read(ID));
    store.verify();
    content = splice(handle, content, 300, 100, 5);
    done(port -> handle.truncate(20_000, port));
    done(handle::close);
    return Arrays.copyOf(content, 20_000);
  }

  private PieceMap.Folded tree() {
    PieceMap map = pieces();
    assertNotNull(map);
    PieceMap.Folded tree = map.folded();
    assertNotNull(tree, map::toString);
    return tree;
  }

  /** With a map as large as an inode takes; it is small in all other tests. */
  private StoreOptions openedWhole() {
    assertInstanceOf(Completion.Done.class, store.close());
    StoreOptions tiny = StoreFixture.tinyOptions(7);
    StoreOptions whole =
        new StoreOptions(tiny.config(), 0, /* treeFanOut= */ 0, new SplittableRandom(7));
    store =
        Objects.requireNonNull(
            StoreFixture.tryOpen(world.reopen(world.disk().contents().fork()), whole));
    return whole;
  }

  /** Else each fold would make a file's map one that nobody has in memory. */
  @Test
  void aTreeThatWasJustWrittenIsNotReadAgain() {
    openedWhole();
    byte[] content = StoreFixture.bytes(1, 20 * BLOCK);
    store.put(ID, content);
    assertArrayEquals(content, store.read(ID));
    long reads = reads();
    SegmentHandle handle = open();
    for (int i = 0; i < 100; i++) {
      content = splice(handle, content, 37 + i * 811, 0, 100);
      done(handle::flush);
    }
    done(handle::close);
    assertTrue(tree().pieces() > 40, () -> tree().toString());
    assertArrayEquals(content, store.read(ID));
    assertEquals(reads, reads(), "all of it is in memory");
  }

  private long reads() {
    return store.store().metrics().disk().of(DiskOperation.READ).requests();
  }

  @Test
  void manyEditsGoIntoATreeAndSurviveACrash() {
    StoreOptions whole = openedWhole();
    byte[] content = StoreFixture.bytes(1, 60 * BLOCK);
    store.put(ID, content);
    SegmentHandle handle = open();
    for (int i = 0; i < 150; i++) {
      content = splice(handle, content, 37 + i * 1511, i % 3 * 200, 100);
      if (i % 10 == 0) {
        done(handle::flush);
      }
    }
    done(handle::close);
    assertArrayEquals(content, store.read(ID));
    PieceMap pieces = pieces();
    assertNotNull(pieces);
    assertTrue(pieces.pieceBytes() <= PieceMap.MAX_BYTES, pieces::toString);
    assertTrue(tree().pieces() > 100, pieces::toString);
    store = Objects.requireNonNull(StoreFixture.tryOpen(store.world().crashAndReopen(), whole));
    assertArrayEquals(content, store.read(ID));
    store.verify();
  }

  @Test
  void whatIsGatheredLiesTogetherAndKeepsItsTimes() {
    byte[] content = StoreFixture.bytes(1, 80 * BLOCK);
    store.put(ID, content);
    SegmentHandle handle = open();
    for (int i = 0; i < 30; i++) {
      content = splice(handle, content, 5000 + i * 9001, i % 3 * 100, 50);
    }
    done(handle::flush);
    Inode edited = inode();
    assertTrue(Objects.requireNonNull(pieces()).pieceCount() > 30);
    done(port -> handle.gather(0, 100, port));
    assertEquals(false, handle.isDirty(), "it is one piece");
    for (int at = 0; at < content.length; at += 50_000) {
      int offset = at;
      done(port -> handle.gather(offset, 50_000, port));
      done(handle::flush);
    }
    done(port -> handle.gather(0, Long.MAX_VALUE, port));
    done(handle::flush);
    assertEquals(1, Objects.requireNonNull(pieces()).pieceCount());
    done(port -> handle.gather(0, Long.MAX_VALUE, port));
    assertEquals(false, handle.isDirty(), "all is one piece");
    assertEquals(edited.times(), inode().times());
    assertTrue(inode().version() > edited.version());
    assertArrayEquals(content, store.read(ID));
    assertInstanceOf(
        Failure.Invalid.class,
        ((Completion.Failed<Unit>) asked(port -> handle.gather(-1, 5, port))).failure());
    done(handle::close);
    store.verify();
  }

  /** What is small is gathered again, over what others have committed. */
  @Test
  void gatheringMergesWithOthers() {
    byte[] content = StoreFixture.bytes(1, 30 * BLOCK);
    store.put(ID, content);
    SegmentHandle first = open();
    content = splice(first, content, 9000, 0, 100);
    done(first::flush);
    done(port -> first.gather(5000, 9000, port));
    SegmentHandle second = open();
    content = splice(second, content, 7000, 10, 300);
    done(second::close);
    done(first::close);
    assertArrayEquals(content, store.read(ID));
    store.verify();
  }

  @Test
  void aLargeInsertIsPlacedAtOnce() {
    byte[] content = StoreFixture.bytes(1, 30 * BLOCK);
    store.put(ID, content);
    SegmentHandle handle = open();
    content = splice(handle, content, 5000, 1000, 900_000);
    done(handle::close);
    assertArrayEquals(content, store.read(ID));
    store.verify();
  }

  @Test
  void twoHandlesMergeTheirEdits() {
    byte[] content = StoreFixture.bytes(1, 30 * BLOCK);
    store.put(ID, content);
    SegmentHandle first = open();
    SegmentHandle second = open();
    splice(first, content, 5000, 0, 100);
    splice(second, content, 60_000, 50, 10);
    done(first::close);
    done(second::close);
    byte[] both = spliced(content, 5000, 0, StoreFixture.bytes(5007, 100));
    both = spliced(both, 60_000, 50, StoreFixture.bytes(60_007, 10));
    assertArrayEquals(both, store.read(ID));
    store.verify();
  }

  @Test
  void whatOthersHaveCutOffIsAConflict() {
    byte[] content = StoreFixture.bytes(1, 30 * BLOCK);
    store.put(ID, content);
    SegmentHandle first = open();
    SegmentHandle second = open();
    splice(second, content, 29 * BLOCK, 50, 0);
    done(port -> first.truncate(BLOCK, port));
    done(first::close);
    Completion<Unit> flushed = asked(second::flush);
    assertInstanceOf(Failure.Conflict.class, ((Completion.Failed<Unit>) flushed).failure());
    second.abandon();
    assertArrayEquals(Arrays.copyOf(content, BLOCK), store.read(ID));
  }

  @Test
  void rangesOutsideAreRefusedAndSayTheSize() {
    store.put(ID, StoreFixture.bytes(1, 10_000));
    SegmentHandle handle = open();
    long[][] wrong = {
      {-1, 0},
      {0, -1},
      {10_001, 0},
      {0, 10_001},
      {9_999, 2},
      {5, Long.MAX_VALUE},
      {Long.MAX_VALUE, 1}
    };
    for (long[] range : wrong) {
      Completion<Unit> refused =
          asked(port -> handle.splice(range[0], range[1], ByteBuffer.allocate(4), port));
      Failure failure = ((Completion.Failed<Unit>) refused).failure();
      assertInstanceOf(Failure.Invalid.class, failure);
      assertTrue(failure.message().contains("10000"), failure::message);
    }
    assertEquals(false, handle.isDirty());
    done(port -> handle.truncate(Long.MAX_VALUE / 2, port));
    Completion<Unit> refused = asked(port -> handle.splice(5, 0, ByteBuffer.allocate(1), port));
    assertInstanceOf(Failure.Invalid.class, ((Completion.Failed<Unit>) refused).failure());
    handle.abandon();
  }

  /** The volume says that it has files with maps before there is one, and only then. */
  @Test
  void theVolumeSaysWhatItUsesBeforeItDoes() {
    byte[] content = StoreFixture.bytes(1, 30 * BLOCK);
    store.put(ID, content);
    SegmentHandle handle = open();
    done(port -> handle.append(ByteBuffer.wrap(new byte[9]), port));
    done(handle::flush);
    assertEquals(3, formatVersion());
    splice(handle, Arrays.copyOf(content, content.length + 9), 5000, 0, 100);
    done(handle::close);
    assertEquals(4, formatVersion());
    store = StoreFixture.open(store.world().crashAndReopen());
    assertEquals(4, formatVersion());
    assertNotNull(pieces());
  }

  private int formatVersion() {
    byte[] block = store.world().disk().contents().read(0);
    return ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getInt(16);
  }
}
