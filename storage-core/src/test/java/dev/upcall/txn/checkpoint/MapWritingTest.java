package dev.upcall.txn.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskRequest;
import dev.upcall.io.ForwardingDisk;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.engine.Stores;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much of the free-space map is encoded and written in one turn of a checkpoint, counted. */
class MapWritingTest {
  private static final VolumeLayout LAYOUT = StoreFixture.tinyLayout();
  private static final int FILES = 400;
  private static final int FILES_AT_ONCE = 40;

  private final SimWorld world = SimWorld.ofBlocks(1, 4096);
  private int mapWrites;

  /** Counts what goes to the map's homes. */
  private final class CountingDisk extends ForwardingDisk {
    CountingDisk(Disk disk) {
      super(disk);
    }

    @Override
    public void submit(DiskRequest request) {
      if (request instanceof DiskRequest.Write write
          && write.block() >= LAYOUT.mapStart()
          && write.block() < LAYOUT.dataStart()) {
        mapWrites++;
      }
      pass(request);
    }
  }

  @Test
  void aTurnWritesFewChunksHoweverManyHaveChanged() {
    StoreFixture.format(world);
    world.whenDiskCloses(survivor -> StoreFixture.recovered(survivor).end());
    StoreFixture store =
        StoreFixture.of(
            world,
            world.get(
                port ->
                    Stores.open(
                        world.dispatcher(),
                        new CountingDisk(world.disk()),
                        StoreFixture.tinyOptions(1),
                        port)));
    for (int file = 0; file < FILES; file++) {
      byte[] bytes = StoreFixture.bytes(file, Disk.BLOCK_BYTES);
      assertEquals(Completion.done(), store.put(100 + file, bytes));
      if (file % FILES_AT_ONCE == 0) {
        world.<Unit>get(store.store()::checkpoint);
      }
    }
    // All over what has been used: so many chunks change together.
    for (int file = 0; file < FILES; file += FILES_AT_ONCE) {
      assertEquals(Completion.done(), store.remove(100 + file));
    }
    mapWrites = 0;
    int most = 0;
    List<Completion<Unit>> told = new ArrayList<>();
    store.store().checkpoint(told::add);
    while (told.isEmpty()) {
      int before = mapWrites;
      world.dispatcher().turn(true);
      most = Math.max(most, mapWrites - before);
    }
    assertEquals(List.of(Completion.done()), told);
    int bound = MapWriting.STEP_CHUNKS * LAYOUT.mapCopies();
    assertTrue(most <= bound, "in one turn " + most);
    assertTrue(mapWrites > bound, "all together no more than a turn may: " + mapWrites);
    store.verify();
    assertEquals(Completion.done(), store.close());
  }
}
