package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.io.Disk;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.StoreTest;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Store;
import dev.upcall.txn.StoreOptions;
import dev.upcall.txn.volume.VolumeLayout;
import org.junit.jupiter.api.Test;

/** Blocks of the free-space map that the device cannot read any more. */
public class UnreadableMapTest {
  private static final int FILES = 30;
  private static final VolumeLayout LAYOUT = StoreFixture.tinyLayout();

  private final SimWorld first = first();

  private static SimWorld first() {
    SimWorld world = new SimWorld(17, SimDiskConfig.ofBlocks(0).withCapacity(4096));
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    for (int i = 0; i < FILES; i++) {
      StoreTest.done(store.put(100 + i, content(i)));
    }
    StoreTest.done(store.close());
    return world;
  }

  private static byte[] content(int i) {
    return StoreFixture.bytes(i, 3 * 4096);
  }

  private static void breakChunk(SimWorld world, long chunk, int copy) {
    world.disk().breakBlock(LAYOUT.mapStart(copy) + 2 * chunk);
    world.disk().breakBlock(LAYOUT.mapStart(copy) + 2 * chunk + 1);
  }

  private static SimWorld opensWhole(SimWorld world) {
    StoreFixture store = StoreFixture.open(world);
    for (int i = 0; i < FILES; i++) {
      assertArrayEquals(content(i), store.read(100 + i));
    }
    store.verify();
    StoreTest.done(store.close());
    return world;
  }

  @Test
  void whatOneCopyLacksIsReadInTheOtherAndWrittenAgain() {
    SimWorld world = first.reopen(first.disk().contents().fork());
    breakChunk(world, 0, 1);
    breakChunk(world, 1, 0);
    breakChunk(world, 2, 1);
    opensWhole(world);
    SimWorld again = world.reopen(world.disk().contents().fork());
    breakChunk(again, 0, 0);
    breakChunk(again, 1, 1);
    breakChunk(again, 2, 0);
    opensWhole(again);
  }

  @Test
  void aVerificationNamesTheCopyThatIsDamaged() {
    StoreFixture store = StoreFixture.open(first.reopen(first.disk().contents().fork()));
    breakChunk(store.world(), 2, 1);
    VerifyReport report =
        store
            .world()
            .get(port -> store.store().verify(new VerifyOptions(false), (at, of) -> true, port));
    assertEquals(1, report.problemCount(), report::toString);
    long block = report.problems().getFirst().offsetBytes() / Disk.BLOCK_BYTES;
    assertEquals(LAYOUT.mapStart(1) + 4, block - block % 2, report::toString);
    StoreTest.done(store.close());
  }

  @Test
  void whatNoCopyHasIsTheDevicesFault() {
    SimWorld world = first.reopen(first.disk().contents().fork());
    assertInstanceOf(Failure.Device.class, refusedWithoutMap(world));
    StoreOptions reading = StoreFixture.tinyOptions(world.seed()).asReadOnly();
    SimWorld again = first.reopen(first.disk().contents().fork());
    loseMap(again);
    StoreFixture store =
        StoreFixture.of(
            again, again.get(port -> Stores.open(again.dispatcher(), again.disk(), reading, port)));
    assertArrayEquals(content(3), store.read(103));
    StoreTest.done(store.close());
    opensWhole(first.reopen(first.disk().contents().fork()));
  }

  /** Why a store is not opened of whose map no copy can be read. */
  public static Failure refusedWithoutMap(SimWorld world) {
    loseMap(world);
    Completion<Store> opened =
        world.await(
            port ->
                Stores.open(
                    world.dispatcher(),
                    world.disk(),
                    StoreFixture.tinyOptions(world.seed()),
                    port));
    return assertInstanceOf(Completion.Failed.class, opened).failure();
  }

  /** A store that is open when its map becomes unreadable. */
  public static StoreFixture openAndLoseMap(SimWorld world) {
    StoreFixture store = StoreFixture.open(world);
    loseMap(world);
    return store;
  }

  private static void loseMap(SimWorld world) {
    for (int copy = 0; copy < LAYOUT.mapCopies(); copy++) {
      breakChunk(world, 1, copy);
    }
  }
}
