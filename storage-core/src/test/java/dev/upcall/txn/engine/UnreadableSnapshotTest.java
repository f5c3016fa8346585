package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.NamedSnapshotList;
import dev.upcall.store.OpeningReport;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.tree.PageRef;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreTree;
import dev.upcall.txn.state.Roots;
import dev.upcall.txn.volume.StoreRoot;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store is read without the snapshots of which both copies of what leads to them are gone. */
class UnreadableSnapshotTest {
  private static final int FILES = 10;

  private SimWorld world = SimWorld.ofBlocks(7, 900).closesUnchecked("damaged on purpose");
  private StoreFixture store;
  private DiskImage whole;

  UnreadableSnapshotTest() {
    StoreFixture.format(world);
    store = StoreFixture.recovered(world);
    for (String name : List.of("monday", "tuesday", "wednesday")) {
      for (int id = 20; id < 20 + FILES; id++) {
        store.put(id, StoreFixture.bytes(name.hashCode() + id, 6000));
      }
      world.<NamedSnapshot>get(port -> store.store().namedSnapshots().create(name, port));
    }
    // The name of the last one stands in the log only.
    whole = world.disk().contents().fork();
  }

  private OpeningReport readOnly(DiskImage image) {
    world = world.reopen(image.fork());
    store =
        StoreFixture.of(
            world,
            world.get(
                port ->
                    Stores.open(
                        world.dispatcher(),
                        world.disk(),
                        StoreFixture.tinyOptions(1).asReadOnly(),
                        port)));
    OpeningReport opening = store.store().info().opening();
    assertEquals(OpeningReport.Age.NEWEST, opening.age());
    for (int id = 20; id < 20 + FILES; id++) {
      assertArrayEquals(StoreFixture.bytes("wednesday".hashCode() + id, 6000), store.read(id));
    }
    return opening;
  }

  private List<String> names() {
    return world.<NamedSnapshotList>get(store.store().namedSnapshots()::list).snapshots().stream()
        .map(NamedSnapshot::name)
        .toList();
  }

  private void endsAsItWas(DiskImage image) {
    VerifyReport report =
        world.get(port -> store.store().verify(new VerifyOptions(true), (at, of) -> true, port));
    assertFalse(report.isSound(), "the damage was not counted");
    assertEquals(Completion.done(), world.<Unit>await(store.store()::close));
    assertEquals(image.digest(), world.disk().contents().digest());
  }

  @Test
  void itsOwnRoot() {
    for (StoreRoot root : store.snapshotRecord("tuesday").roots()) {
      PageRef page = Invariants.present(Roots.decode(root), "a root");
      DiskImage damaged = whole.fork();
      damaged.put(page.addressA(), null);
      damaged.put(page.blocks()[1], null);
      OpeningReport opening = readOnly(damaged);
      assertEquals(1, opening.findings().size(), opening::toString);
      assertTrue(opening.findings().getFirst().contains("snapshot tuesday"), opening::toString);
      assertEquals(List.of("monday", "wednesday"), names());
      Completion<Snapshot> opened =
          world.await(port -> store.store().namedSnapshots().open("tuesday", port));
      assertInstanceOf(
          Failure.Corrupt.class, assertInstanceOf(Completion.Failed.class, opened).failure());
      endsAsItWas(damaged);
    }
  }

  /** Not even what the log says of them can be told then. */
  @Test
  void theNamesOfAll() {
    DiskImage damaged =
        Invariants.present(RefusedVolumeTest.withoutRoot(whole, StoreTree.SNAPSHOTS), "an image");
    OpeningReport opening = readOnly(damaged);
    assertEquals(1, opening.findings().size(), opening::toString);
    assertTrue(opening.findings().getFirst().contains("no snapshot"), opening::toString);
    assertEquals(List.of(), names());
    endsAsItWas(damaged);
    world = world.reopen(damaged.fork());
    Completion<Store> refused =
        world.await(
            port ->
                Stores.open(world.dispatcher(), world.disk(), StoreFixture.tinyOptions(1), port));
    assertInstanceOf(
        Failure.Corrupt.class, assertInstanceOf(Completion.Failed.class, refused).failure());
  }
}
