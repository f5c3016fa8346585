package dev.upcall.txn.reclaim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.space.SpaceManager;
import dev.upcall.sim.SimWorld;
import dev.upcall.space.Extent;
import dev.upcall.space.FreeMap;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.StoreTest;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.StoreConfig;
import dev.upcall.txn.engine.StoreEngine;
import dev.upcall.txn.state.StoreContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** However much a snapshot held back, closing it keeps nobody waiting. */
class SpaceReleaseTest {
  private static final int FILES = 400;
  private static final int MOST = StoreConfig.DEFAULT_RELEASE_EXTENTS;

  private final SimWorld world = SimWorld.ofBlocks(1, 4096);
  private StoreFixture store;
  private FreeMap map;
  private SpaceManager space;

  /** Extents that were looked at. */
  private int looked;

  @BeforeEach
  void open() {
    StoreFixture.format(world);
    store = StoreFixture.open(world);
    StoreContext context = ((StoreEngine) store.store()).context();
    map = context.state().map();
    space = context.space();
    context.buffers().onForget(extent -> looked++);
    for (int file = 0; file < FILES; file++) {
      StoreTest.done(store.put(100 + file, StoreFixture.bytes(file, Disk.BLOCK_BYTES)));
    }
    world.<Unit>get(store.store()::checkpoint);
  }

  @AfterEach
  void close() {
    store.verify();
    world.<Unit>get(store.store()::close);
  }

  @Test
  void noTurnGivesBackMoreThanItsPiece() {
    Snapshot snapshot = world.get(store.store()::snapshot);
    removeFiles(0, FILES);
    assertTrue(map.pendingBlocks() >= FILES, "pending " + map.pendingBlocks());
    int turns = 0;
    looked = 0;
    snapshot.close();
    assertTrue(looked <= MOST, "at once " + looked);
    while (map.pendingBlocks() > 0) {
      int before = looked;
      world.dispatcher().turn(true);
      assertTrue(looked - before <= MOST, "in one turn " + (looked - before));
      turns++;
    }
    assertTrue(looked >= FILES && turns >= FILES / MOST, looked + " in " + turns);
  }

  @Test
  void littleIsGivenBackAtOnce() {
    Snapshot snapshot = world.get(store.store()::snapshot);
    removeFiles(0, 3);
    long pending = map.pendingBlocks();
    assertTrue(pending >= 3, "pending " + pending);
    snapshot.close();
    assertEquals(0, map.pendingBlocks());
  }

  @Test
  void whoWaitsIsServedMeanwhileAndNobodyHearsTooEarlyThatTheVolumeIsFull() {
    Snapshot snapshot = world.get(store.store()::snapshot);
    removeFiles(0, FILES);
    List<Extent> taken = takeAll();
    snapshot.close();
    assertTrue(map.pendingBlocks() > FILES / 2, "pending " + map.pendingBlocks());
    assertTrue(space.mayGrow());
    List<Completion<?>> grown = new ArrayList<>();
    space.grow(1, grown::add);
    Completion<List<Extent>> few = world.await(port -> space.allocate(2 * MOST, port));
    assertInstanceOf(Completion.Done.class, few);
    assertEquals(List.of(Completion.done()), grown);
    assertTrue(map.pendingBlocks() > 0, "served only when all was over");
    List<Long> pendingAtTheEnd = new ArrayList<>();
    Completion<List<Extent>> many =
        world.await(
            port ->
                space.allocate(
                    4096,
                    completion -> {
                      pendingAtTheEnd.add(map.pendingBlocks());
                      port.complete(completion);
                    }));
    assertInstanceOf(Failure.VolumeFull.class, ((Completion.Failed<List<Extent>>) many).failure());
    assertEquals(List.of(0L), pendingAtTheEnd);
    space.giveBack(((Completion.Done<List<Extent>>) few).value());
    space.giveBack(taken);
  }

  @Test
  void whatComesDueMeanwhileGoesWithTheRest() {
    Snapshot older = world.get(store.store()::snapshot);
    removeFiles(0, FILES / 2);
    Snapshot newer = world.get(store.store()::snapshot);
    removeFiles(FILES / 2, FILES);
    older.close();
    newer.close();
    assertTrue(map.pendingBlocks() > FILES / 2, "pending " + map.pendingBlocks());
    world.runUntil(() -> map.pendingBlocks() == 0);
  }

  @Test
  void aSnapshotTakenMeanwhileKeepsWhatItSees() {
    Snapshot before = world.get(store.store()::snapshot);
    removeFiles(0, FILES - 1);
    before.close();
    assertTrue(map.pendingBlocks() > 0, "nothing under way");
    Completion<Snapshot> asked = world.await(store.store()::snapshot);
    Snapshot meanwhile = ((Completion.Done<Snapshot>) asked).value();
    assertTrue(map.pendingBlocks() > 0, "over before the snapshot was taken");
    removeFiles(FILES - 1, FILES);
    for (int file = 0; file < 3; file++) {
      StoreTest.done(store.put(1000 + file, StoreFixture.bytes(file, 500_000)));
    }
    world.<Unit>get(store.store()::checkpoint);
    assertNull(store.read(100 + FILES - 1));
    long last = 100L + FILES - 1;
    try (PinnedContent content =
        world.get(
            port ->
                meanwhile.pin(
                    view -> Completion.done(view.inode(last)), StoreFixture.OWNER, port))) {
      assertArrayEquals(
          StoreFixture.bytes(FILES - 1, Disk.BLOCK_BYTES), StoreFixture.read(world, content));
    }
    meanwhile.close();
  }

  @Test
  void closingTheStoreWaitsForIt() {
    world.get(store.store()::snapshot);
    removeFiles(0, FILES);
  }

  private void removeFiles(int from, int to) {
    for (int file = from; file < to; file++) {
      StoreTest.done(store.remove(100 + file));
    }
    world.<Unit>get(store.store()::checkpoint);
  }

  /** Everything that can be had now; the device has no more. */
  private List<Extent> takeAll() {
    world.disk().setCapacity(world.disk().sizeBlocks());
    List<Extent> taken = new ArrayList<>();
    while (world.<List<Extent>>await(port -> space.allocate(1, port))
        instanceof Completion.Done<List<Extent>>(List<Extent> got)) {
      taken.addAll(got);
    }
    return taken;
  }
}
