package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskOperation;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.volume.Epoch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two stores on one simulated disk: the first one hangs while the second has the volume. */
class OvertakenStoreTest {
  private static SimWorld world(long seed) {
    SimWorld world =
        SimWorld.ofBlocks(seed, 4096).closesUnchecked("the test looks at what is left");
    StoreFixture.format(world);
    return world;
  }

  /** As stores are opened: behind scheduler and guard. */
  private static StoreFixture recovered(SimWorld world) {
    Disk disk = StoreAssembly.scheduled(world.disk(), world.dispatcher());
    StoreOptions options = StoreFixture.tinyOptions(world.seed());
    return StoreFixture.of(
        world, world.get(port -> Stores.open(world.dispatcher(), disk, options, port)));
  }

  private static void done(@Nullable Completion<Unit> completion) {
    assertInstanceOf(Completion.Done.class, completion);
  }

  private static Failure failure(@Nullable Completion<Unit> completion) {
    return ((Completion.Failed<?>) assertInstanceOf(Completion.Failed.class, completion)).failure();
  }

  /** Another machine opens the volume, changes it and closes it; what it leaves. */
  private static DiskImage takeOver(SimWorld world, int files) {
    SimWorld other = world.reopen(world.disk().land());
    StoreFixture store = recovered(other);
    for (int i = 0; i < files; i++) {
      done(store.put(200 + i, StoreFixture.bytes(i, 5000)));
    }
    done(store.close());
    DiskImage left = other.disk().land();
    world.disk().writtenElsewhere(left);
    return left;
  }

  @Test
  void whoWakesUpBehindAnotherWritesNothing() {
    SimWorld world = world(1);
    StoreFixture store = recovered(world);
    done(store.put(100, StoreFixture.bytes(1, 3000)));
    DiskImage left = takeOver(world, 3);
    world.clock().advance(Epoch.TRUST_NANOS + 1);

    failure(store.put(101, StoreFixture.bytes(2, 20)));
    String why = store.store().info().readOnlyReason();
    assertTrue(
        why.contains("volume sim failed: another store has opened it meanwhile: its epoch is "),
        why);
    assertInstanceOf(Failure.ReadOnly.class, failure(store.put(101, StoreFixture.bytes(2, 20))));
    assertArrayEquals(StoreFixture.bytes(1, 3000), store.read(100));
    assertInstanceOf(Failure.ReadOnly.class, failure(world.await(store.store()::close)));
    assertEquals(left.digest(), world.disk().contents().digest());

    StoreFixture next = recovered(world.reopen(left));
    assertArrayEquals(StoreFixture.bytes(1, 3000), next.read(100));
    assertArrayEquals(StoreFixture.bytes(2, 5000), next.read(202));
    assertNull(next.read(101));
  }

  /** Also when it does not know that it has slept: a superblock goes out only behind a look. */
  @Test
  void noCheckpointIsNamedBehindAnother() {
    SimWorld world = world(2);
    StoreFixture store = recovered(world);
    done(store.put(100, StoreFixture.bytes(1, 3000)));
    takeOver(world, 1);
    String why = failure(world.await(store.store()::checkpoint)).message();
    assertTrue(why.contains(", here it is 2; nothing more is written"), why);
    assertInstanceOf(Failure.ReadOnly.class, failure(store.put(101, StoreFixture.bytes(2, 20))));
    world.await(store.store()::close);
  }

  /** A store alone is never held up for more than a look, and a busy one is not at all. */
  @Test
  void whoIsAloneGoesOn() {
    SimWorld world = world(3);
    StoreFixture store = recovered(world);
    for (int i = 0; i < 40; i++) {
      world.clock().advance(i % 7 * Epoch.TRUST_NANOS / 3);
      done(store.put(100 + i % 5, StoreFixture.bytes(i, 3000)));
      if (i % 9 == 0) {
        done(world.await(store.store()::checkpoint));
      }
    }
    done(store.close());
    StoreFixture next = recovered(world.crashAndReopen());
    assertArrayEquals(StoreFixture.bytes(39, 3000), next.read(104));
    next.close();
  }

  @Test
  void whatCannotBeReadSaysNothing() {
    SimWorld world = world(4);
    StoreFixture store = recovered(world);
    world.disk().breakBlock(0);
    world.disk().contents().flipBit(1, 8 * 100);
    world.clock().advance(Epoch.TRUST_NANOS + 1);
    done(store.put(100, StoreFixture.bytes(1, 3000)));
    done(world.await(store.store()::checkpoint));
    done(store.close());
  }

  /** What the second line costs an opening: two blocks and a sync. */
  @Test
  void anOpeningWritesTwoBlocksMore() {
    SimWorld world = world(5);
    recovered(world).close();
    SimWorld next = world.reopen(world.disk().contents().fork());
    recovered(next);
    assertEquals(2, next.disk().counters().of(DiskOperation.WRITE).requests());
    assertEquals(2, next.disk().syncs(), "that of the log's end, and that of the epoch");
  }
}
