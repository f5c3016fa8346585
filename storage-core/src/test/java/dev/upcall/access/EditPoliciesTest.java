package dev.upcall.access;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.content.EditPolicy;
import dev.upcall.io.Disk;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.PieceMap;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.EditMeter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits of files that have a policy: what it promises, and what it never copies. */
class EditPoliciesTest {
  private static final long ID = 200;
  private static final int BLOCK = Disk.BLOCK_BYTES;
  private static final int EDITS = 60;

  /** What is nearer to the end is written anew, whatever the policy. */
  private static final int TAIL_BYTES = 20_000;

  private final SimWorld world = SimWorld.ofBlocks(5, 4096);
  private final StoreFixture store = formatted();
  private byte[] content = new byte[0];

  private StoreFixture formatted() {
    StoreFixture.format(world);
    return StoreFixture.open(world);
  }

  @AfterEach
  void close() {
    store.verify();
    assertInstanceOf(Completion.Done.class, store.close());
  }

  private void done(Consumer<CompletionPort<Unit>> request) {
    assertInstanceOf(Completion.Done.class, world.<Unit>await(request::accept));
  }

  private SegmentHandle open() {
    return world.get(
        port -> Segments.open(store.store(), Segments.Target.of(ID), StoreFixture.OWNER, port));
  }

  private Inode inode() {
    return world.get(
        port ->
            store
                .store()
                .<Inode>query(
                    view -> Completion.done(Objects.requireNonNull(view.inode(ID))), port));
  }

  private PieceMap pieces() {
    return Objects.requireNonNull(inode().layout().pieces());
  }

  private void choose(EditPolicy policy) {
    done(
        port ->
            store
                .store()
                .<Unit>changeSegment(
                    (view, out) -> {
                      Inode now = Objects.requireNonNull(view.inode(ID));
                      out.putInode(StoreFixture.edited(now.touched(1), policy));
                      return Completion.done();
                    },
                    Durability.SYNC,
                    port));
  }

  private void make(int bytes, EditPolicy policy) {
    content = StoreFixture.bytes(bytes, bytes);
    store.put(ID, content);
    choose(policy);
  }

  private void splice(SegmentHandle handle, int offset, int removed, int length) {
    byte[] bytes = StoreFixture.bytes(offset + 7, length);
    done(port -> handle.splice(offset, removed, ByteBuffer.wrap(bytes), port));
    byte[] after = Arrays.copyOf(content, content.length - removed + length);
    System.arraycopy(bytes, 0, after, offset, length);
    int rest = content.length - offset - removed;
    System.arraycopy(content, offset + removed, after, offset + length, rest);
    content = after;
  }

  /** Random edits, each in a commit of its own, and a look after each. */
  private void edit(Consumer<Integer> looks) {
    SplittableRandom random = new SplittableRandom(18);
    SegmentHandle handle = open();
    for (int i = 0; i < EDITS; i++) {
      int offset = random.nextInt(content.length - TAIL_BYTES);
      int removed = random.nextInt(3) * random.nextInt(5000);
      int length = removed == 0 ? 1 + random.nextInt(5000) : random.nextInt(3000);
      splice(handle, offset, removed, removed + length == 0 ? 1 : length);
      done(handle::flush);
      looks.accept(offset);
    }
    done(handle::close);
    assertArrayEquals(content, store.read(ID));
  }

  /** The pieces of the content, in order. */
  private List<PieceMap.Stretch> stretches() {
    PieceMap map = pieces();
    MapLook look = new MapLook(store.store().access());
    List<PieceMap.Stretch> all = new ArrayList<>();
    for (long at = 0; at < map.sizeBytes(); ) {
      long from = at;
      PieceMap.Stretch piece = world.get(port -> look.around(map, from, port));
      all.add(piece);
      at = piece.offset() + piece.bytes();
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 8})
  void eosLeavesNoShortPieceBesideAnEdit(int threshold) {
    make(80 * BLOCK, new EditPolicy.Eos(threshold));
    edit(
        offset -> {
          for (PieceMap.Stretch piece : stretches()) {
            boolean isBeside = piece.offset() <= offset && offset <= piece.offset() + piece.bytes();
            assertTrue(
                !isBeside || piece.bytes() > (threshold - 1L) * BLOCK,
                () -> "%s beside %d: %s".formatted(piece, offset, pieces()));
          }
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void esmHasLeavesThatAreAtLeastHalfFull(int leafBlocks) {
    make(80 * BLOCK, new EditPolicy.Esm(leafBlocks));
    long most = (long) leafBlocks * BLOCK;
    edit(
        offset -> {
          List<PieceMap.Stretch> all = stretches();
          for (PieceMap.Stretch piece : all.subList(0, all.size() - 1)) {
            long last = piece.bytes() % most;
            assertTrue(
                last == 0 || 2 * last >= most,
                () -> "%s after an edit at %d: %s".formatted(piece, offset, pieces()));
          }
        });
    assertTrue(stretches().size() > 5, () -> stretches().toString());
  }

  @Test
  void starburstCopiesAllThatIsBehind() {
    make(80 * BLOCK, new EditPolicy.Starburst());
    edit(offset -> assertEquals(1, stretches().size(), () -> pieces().toString()));
  }

  /** Pieces that others have left are put in order where an edit comes. */
  @Test
  void aPolicyMayBeChosenAnew() {
    make(80 * BLOCK, EditPolicy.NONE);
    edit(offset -> {});
    assertTrue(stretches().size() > EDITS / 2, () -> stretches().toString());
    choose(new EditPolicy.Esm(4));
    edit(offset -> {});
    choose(new EditPolicy.Eos(16));
    edit(offset -> {});
    choose(new EditPolicy.Starburst());
    edit(offset -> {});
    SegmentHandle handle = open();
    splice(handle, 10, 10, 0);
    done(handle::close);
    assertEquals(1, stretches().size(), () -> pieces().toString());
    assertArrayEquals(content, store.read(ID));
  }

  /** What comes is as many pieces as a handle may collect, or one. */
  @Test
  void aLargeInsertIsInLeavesAsLongAsTheyAreFew() {
    make(40 * BLOCK, new EditPolicy.Esm(1));
    SegmentHandle handle = open();
    splice(handle, 5 * BLOCK + 9, 0, 12 * BLOCK);
    done(handle::flush);
    assertEquals(2 + 13, stretches().size(), () -> stretches().toString());
    splice(handle, 10 * BLOCK, 0, 300 * BLOCK);
    done(handle::close);
    assertTrue(stretches().size() < 20, () -> stretches().toString());
    assertArrayEquals(content, store.read(ID));
  }

  static Stream<EditPolicy> policies() {
    return Stream.of(new EditPolicy.Eos(256), new EditPolicy.Esm(256), new EditPolicy.Starburst());
  }

  /** A file with a terabyte of holes is edited as quickly as any. */
  @ParameterizedTest
  @MethodSource("policies")
  void noMoreIsCopiedThanACommitMayHave(EditPolicy policy) {
    make(300 * BLOCK, policy);
    SegmentHandle handle = open();
    done(port -> handle.truncate(1L << 40, port));
    done(handle::flush);
    EditMeter meter = store.store().access().meter();
    long before = meter.copiedBytes();
    done(port -> handle.splice(5000, 10, ByteBuffer.allocate(20), port));
    done(handle::flush);
    done(port -> handle.splice(1L << 39, 0, ByteBuffer.wrap(new byte[] {1}), port));
    done(handle::flush);
    assertTrue(meter.copiedBytes() - before < 4L * EditPolicy.MAX_BLOCKS * BLOCK);
    done(port -> handle.truncate(300 * BLOCK + 10L, port));
    done(handle::close);
    byte[] expected = new byte[content.length + 10];
    System.arraycopy(content, 0, expected, 0, 5000);
    System.arraycopy(content, 5010, expected, 5020, content.length - 5010);
    assertArrayEquals(expected, store.read(ID));
  }
}
