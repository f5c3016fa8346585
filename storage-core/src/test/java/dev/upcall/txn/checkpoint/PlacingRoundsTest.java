package dev.upcall.txn.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.fsm.MachineCounts;
import dev.upcall.io.Disk;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.engine.StoreEngine;
import dev.upcall.txn.state.SegmentTable;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much a freeze has to take down in one upcall, counted. */
class PlacingRoundsTest {
  private static final int FILE_BLOCKS = 15;

  /** Together more than a freeze should find. */
  private static final int FILES = 8;

  /** A log that has room for all. */
  private static final VolumeLayout LAYOUT = new VolumeLayout(2048, 64, 8192);

  private final SimWorld world = new SimWorld(1, SimDiskConfig.ofBlocks(0).withCapacity(16384));

  @Test
  void whatComesWhileContentIsPlacedIsPlacedBeforeTheFreeze() {
    StoreFixture.format(world, LAYOUT);
    StoreFixture store = StoreFixture.open(world);
    SegmentTable unplaced = ((StoreEngine) store.store()).context().state().segments();
    ArrayDeque<StagedContent> late = new ArrayDeque<>();
    for (int file = 0; file < 2 * FILES; file++) {
      byte[] bytes = StoreFixture.bytes(file, FILE_BLOCKS * Disk.BLOCK_BYTES);
      if (file < FILES) {
        assertEquals(Completion.done(), store.put(100 + file, bytes));
      } else {
        StagedContent staged = store.stage(bytes);
        assertNotNull(staged, "staged");
        late.add(staged);
      }
    }
    long before = unplaced.unplacedBlocks();
    assertTrue(before > PlacingRounds.FEW_BLOCKS, "unplaced before " + before);
    List<Completion<Unit>> told = new ArrayList<>();
    List<Completion<Unit>> put = new ArrayList<>();
    store.store().checkpoint(told::add);
    long groups = entered("WriteBack", "WRITING");
    long lastUnplaced = before;
    while (entered("Checkpoint", "WRITING_IMAGE") == 0) {
      lastUnplaced = unplaced.unplacedBlocks();
      world.dispatcher().turn(true);
      if (entered("WriteBack", "WRITING") > groups && !late.isEmpty()) {
        StagedContent staged = late.remove();
        store.put(
            100 + FILES + late.size(),
            staged,
            completion -> {
              staged.discard();
              put.add(completion);
            });
      }
    }
    assertTrue(late.isEmpty(), "frozen before all came " + late.size());
    assertTrue(lastUnplaced <= PlacingRounds.FEW_BLOCKS, "frozen with " + lastUnplaced);
    world.runUntilIdle();
    assertEquals(List.of(Completion.done()), told);
    assertEquals(Collections.nCopies(FILES, Completion.done()), put);
    store.verify();
    assertEquals(Completion.done(), store.close());
  }

  private long entered(String machine, String state) {
    return world.dispatcher().recorder().counts().stream()
        .filter(counts -> counts.machine().equals(machine))
        .map(MachineCounts::states)
        .flatMap(List::stream)
        .filter(counted -> counted.name().equals(state))
        .mapToLong(MachineCounts.State::entered)
        .sum();
  }
}
