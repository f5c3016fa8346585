package dev.upcall.txn.reclaim;

import dev.upcall.completion.Completion;
import dev.upcall.segment.space.SpaceManager;
import dev.upcall.sim.SimWorld;
import dev.upcall.space.Extent;
import dev.upcall.store.StoreFixture;
import java.util.ArrayList;
import java.util.List;

/**
 * What happens to a store whose space is short, or comes back, for {@link StoreTransitionsTest}.
 */
final class SpaceLives {
  private SpaceLives() {}

  static void fullVolume(SimWorld world) {
    StoreFixture store = StoreFixture.open(world);
    store.put(StoreTransitionsTest.LARGE, StoreFixture.bytes(2, 900_000));
    StoreTransitionsTest.patch(store, StoreTransitionsTest.LARGE, 100_000, 100);
    world.disk().setCapacity(world.disk().sizeBlocks());
    SpaceManager space = store.store().access().placer().space();
    List<Extent> taken = new ArrayList<>();
    while (world.<List<Extent>>await(port -> space.allocate(1, port))
        instanceof Completion.Done<List<Extent>> got) {
      taken.addAll(got.value());
    }
    // There is room for the block that is to be placed, and none for the pages that name it.
    world.await(store.store()::checkpoint);
    StoreTransitionsTest.change(
        store, StoreTransitionsTest.LARGE, (handle, port) -> handle.truncate(400_000, port));
    space.giveBack(taken);
  }

  /** Much is freed, comes back, and is wanted again. */
  static void givingBack(SimWorld world) {
    StoreFixture store = StoreFixture.tryOpen(world, StoreFixture.givingBack(world.seed()));
    if (store == null) {
      return;
    }
    world.runUntilIdle();
    for (long id = 500; id < 504; id++) {
      store.put(id, StoreFixture.bytes(id, 400_000));
    }
    for (long id = 500; id < 504; id++) {
      store.remove(id);
    }
    store.remove(StoreTransitionsTest.LARGE);
    world.runUntilIdle();
    store.put(505, StoreFixture.bytes(1, 600_000));
    world.runUntilIdle();
    store.put(506, StoreFixture.bytes(1, 600_000));
    store.remove(505);
    store.remove(506);
    store.close();
  }

  /** A third is free, before what is not, and nothing was given back. */
  static void freeInTheMiddle(SimWorld world) {
    StoreFixture store = StoreFixture.open(world);
    for (long id = 0; id < 3; id++) {
      store.put(StoreTransitionsTest.LARGE + id, StoreFixture.bytes(id, 900_000));
    }
    store.put(StoreTransitionsTest.LARGE + 3, StoreFixture.bytes(3, 300_000));
    store.remove(StoreTransitionsTest.LARGE);
    world.runUntilIdle();
    store.close();
  }

  static void givingBackAtTheClose(SimWorld world) {
    StoreFixture store = StoreFixture.tryOpen(world, StoreFixture.givingBack(world.seed()));
    if (store != null) {
      store.remove(StoreTransitionsTest.LARGE);
      world.await(store.store()::checkpoint);
      world.runUntilIdle();
      store.close();
    }
  }
}
