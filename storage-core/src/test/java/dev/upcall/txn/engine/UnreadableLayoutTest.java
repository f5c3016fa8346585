package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.upcall.access.SegmentHandle;
import dev.upcall.access.Segments;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.segment.layout.Layout;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.SimHandles;
import dev.upcall.space.FreeMap;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.StoreTest;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.Snapshot;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One file's extent tree cannot be read: what that means for the writers of others. */
class UnreadableLayoutTest {
  private static final long LARGE = 100;
  private static final int PIECE_BYTES = 3 * 4096;
  private static final int LARGE_BYTES = 80 * PIECE_BYTES;

  private StoreFixture store;
  private byte[] large;

  @BeforeEach
  void open() {
    SimWorld world = new SimWorld(11, SimDiskConfig.ofBlocks(0).withCapacity(16_384));
    StoreFixture.format(world);
    store = StoreFixture.open(world);
    large = StoreFixture.bytes(1, LARGE_BYTES);
    StoreTest.done(store.put(LARGE, large));
    store.close();
    store = StoreFixture.open(world.reopen(world.disk().contents().fork()));
  }

  @AfterEach
  void allIsThereOnceItCanBeReadAgain() {
    store.world().disk().setFaults(FaultPlan.NONE);
    StoreTest.done(store.world().await(store.store()::checkpoint));
    assertEquals(0, store.store().info().unplacedBytes());
    assertArrayEquals(large, store.read(LARGE));
    store.verify();
    StoreTest.done(store.close());
  }

  /** Neither copy of its root. */
  private void breakLayout() {
    Layout layout =
        store
            .world()
            .<Layout>get(
                port ->
                    store
                        .store()
                        .query(
                            view -> {
                              Inode inode = view.inode(LARGE);
                              return Completion.done(inode.layout());
                            },
                            port));
    PageRef root = assertInstanceOf(Layout.Indexed.class, layout).root();
    store.world().disk().breakBlock(root.addressA());
    store.world().disk().breakBlock(root.blocks()[1]);
  }

  /** Behind all that there is, so that nobody looks into the tree before it is placed. */
  private Completion<Unit> append() {
    SegmentHandle handle =
        store
            .world()
            .get(
                port ->
                    Segments.open(
                        store.store(), Segments.Target.of(LARGE), StoreFixture.OWNER, port));
    byte[] bytes = StoreFixture.bytes(large.length, PIECE_BYTES);
    Completion<Unit> written =
        store.world().await(port -> handle.append(ByteBuffer.wrap(bytes), port));
    if (written instanceof Completion.Done<Unit>) {
      written = store.world().await(handle::close);
    }
    if (written instanceof Completion.Done<Unit>) {
      large = SimHandles.laid(large, large.length, bytes);
    } else {
      handle.abandon();
    }
    return written;
  }

  @Test
  void othersArePlacedAndGoOn() {
    breakLayout();
    for (int i = 0; i < 100; i++) {
      StoreTest.done(append());
    }
    for (int i = 0; i < 300; i++) {
      StoreTest.done(store.put(LARGE + 1 + i, StoreFixture.bytes(i, PIECE_BYTES)));
    }
    StoreTest.done(store.world().await(store.store()::checkpoint));
    assertEquals(100 * PIECE_BYTES, store.store().info().unplacedBytes());
    for (int i = 0; i < 300; i++) {
      assertArrayEquals(StoreFixture.bytes(i, PIECE_BYTES), store.read(LARGE + 1 + i));
    }
  }

  /** What cannot be placed takes all the memory that there is for it. */
  @Test
  void whoCannotGoOnIsTold() {
    breakLayout();
    Completion<Unit> last = append();
    while (last instanceof Completion.Done<Unit>) {
      last = append();
    }
    assertInstanceOf(Failure.Device.class, ((Completion.Failed<Unit>) last).failure());
    StagedContent staged = Objects.requireNonNull(store.stage(StoreFixture.bytes(1, PIECE_BYTES)));
    Completion<Unit> other = store.world().await(port -> store.put(LARGE + 1, staged, port));
    staged.discard();
    assertInstanceOf(
        Failure.Device.class, assertInstanceOf(Completion.Failed.class, other).failure());
  }

  /**
   * Its content stays in the images of checkpoints. With no change between two of them, what the
   * second frees has the SCN of the durable one, up to which a reader's end gives blocks back.
   */
  @Test
  void whatTheDurableCheckpointStandsOnIsKeptUntilTheNextIsDurable() {
    breakLayout();
    StoreTest.done(append());
    StoreTest.done(store.world().await(store.store()::checkpoint));
    FreeMap map = ((StoreEngine) store.store()).context().state().map();
    Snapshot snapshot = store.world().get(store.store()::snapshot);
    long before = map.pendingBlocks();
    List<Completion<Unit>> done = new ArrayList<>();
    store.store().checkpoint(done::add);
    store.world().runUntil(() -> map.pendingBlocks() > before);
    long free = map.freeBlocks();
    snapshot.close();
    assertEquals(free, map.freeBlocks());
    assertEquals(List.of(), done);
    store.world().runUntil(() -> !done.isEmpty());
    assertEquals(List.of(Completion.done()), done);
    assertEquals(0, map.pendingBlocks());
  }
}
