package dev.upcall.txn.reclaim;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.ContentSlice;
import dev.upcall.io.IoClass;
import dev.upcall.segment.PinnedContent;
import dev.upcall.segment.layout.Inode;
import dev.upcall.sim.SimWorld;
import dev.upcall.space.Extent;
import dev.upcall.store.NamedSnapshot;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.NamedSnapshots;
import dev.upcall.txn.Snapshot;
import dev.upcall.txn.View;
import java.util.List;

/** What happens to a store with named snapshots, for {@link StoreTransitionsTest}. */
final class SnapshotLives {
  private SnapshotLives() {}

  /** One is read while it is dropped, another takes its name, a third finds it taken. */
  static void madeReadAndDropped(SimWorld world) {
    StoreFixture store = StoreFixture.tryOpen(world);
    if (store == null) {
      return;
    }
    NamedSnapshots named = store.store().namedSnapshots();
    world.<NamedSnapshot>await(port -> named.create("a", port));
    store.put(StoreTransitionsTest.LARGE, StoreFixture.bytes(7, 900_000));
    world.await(store.store()::checkpoint);
    world.runUntilIdle(); // what had a tree of its own is freed in the background
    world.await(store.store()::checkpoint);
    if (world.<Snapshot>await(port -> named.open("a", port))
        instanceof Completion.Done<Snapshot>(Snapshot reader)) {
      if (world.<PinnedContent>await(
              port -> reader.pin(SnapshotLives::large, StoreFixture.OWNER, port))
          instanceof Completion.Done<PinnedContent>(PinnedContent content)) {
        world.<Unit>await(port -> named.drop("a", port));
        release(world.await(port -> content.read(1 << 18, 1, IoClass.FOREGROUND_READ, port)));
        // Closed, and still on its way from the device when the space is looked through.
        content.read(5 << 16, 1 << 18, IoClass.FOREGROUND_READ, SnapshotLives::release);
        content.close();
      }
      reader.close();
    }
    world.<NamedSnapshot>await(port -> named.create("a", port));
    world.<NamedSnapshot>await(port -> named.create("a", port));
    world.runUntilIdle();
    store.close();
  }

  private static Completion<Inode> large(View view) {
    Inode inode = view.inode(StoreTransitionsTest.LARGE);
    return inode == null
        ? Completion.failed(new Failure.NotFound("the large file"))
        : Completion.done(inode);
  }

  private static void release(Completion<ContentSlice> read) {
    if (read instanceof Completion.Done<ContentSlice>(ContentSlice slice)) {
      slice.release();
    }
  }

  static void onAFullVolume(SimWorld world) {
    StoreFixture store = StoreFixture.open(world);
    world.disk().setCapacity(world.disk().sizeBlocks());
    long id = 2000;
    while (store.put(id, StoreFixture.bytes(id, 90_000)) instanceof Completion.Done<Unit>) {
      id++;
    }
    world.<NamedSnapshot>await(port -> store.store().namedSnapshots().create("full", port));
    world.runUntilIdle();
  }

  /** Nobody can know what its snapshots hold. */
  static StoreFixture damaged(SimWorld world) {
    StoreFixture store = StoreFixture.open(world);
    NamedSnapshots named = store.store().namedSnapshots();
    for (String name : List.of("a", "b")) {
      world.<NamedSnapshot>get(port -> named.create(name, port));
      List<Extent> extents = store.snapshotRecord(name).extents();
      for (Extent extent : extents) {
        world.disk().contents().flipBit(extent.block(), 99);
      }
    }
    return store;
  }
}
