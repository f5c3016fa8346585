package dev.upcall.txn.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Unit;
import dev.upcall.io.Disk;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.Durability;
import dev.upcall.store.StoreFixture;
import dev.upcall.txn.engine.StoreEngine;
import dev.upcall.txn.state.StoreState;
import dev.upcall.txn.volume.VolumeLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How many changes it takes to name the places of a group, counted by the SCN, and how many syncs.
 */
class PlaceNamingTest {
  private static final int FILES = 160;
  private static final long FIRST = 100;

  /** A log of which they all take little: nothing is urgent. */
  private static final VolumeLayout LAYOUT = new VolumeLayout(8192, 64, 16384);

  private final SimWorld world = new SimWorld(1, SimDiskConfig.ofBlocks(0).withCapacity(32768));
  private StoreFixture store;
  private StoreState state;
  private long changes;
  private long syncs;
  private int underWay;

  @BeforeEach
  void open() {
    StoreFixture.format(world, LAYOUT);
    store = StoreFixture.open(world);
    state = ((StoreEngine) store.store()).context().state();
    byte[] block = StoreFixture.bytes(1, Disk.BLOCK_BYTES);
    for (int file = 0; file < FILES; file++) {
      assertEquals(Completion.done(), store.put(FIRST + file, block));
    }
  }

  @Test
  void whoIsAloneWaitsForFewAtOnce() {
    assertEquals(FILES / 8, namings(1));
  }

  @Test
  void theLogSyncsAGroupOnceHoweverManyChangesNameIt() {
    long before = store.store().metrics().log().syncs();
    assertEquals(FILES / 8, namings(1));
    assertEquals(1, syncs - before);
  }

  @Test
  void whereMuchIsChangedWriteBackCatchesUp() {
    long namings = namings(64);
    assertTrue(namings <= FILES / 16, namings + " changes that name places");
  }

  /** How many changes name the places of all files while some callers make one after the other. */
  private long namings(int callers) {
    boolean[] checkpointed = new boolean[1];
    store.store().checkpoint(completion -> checkpointed[0] = completion.equals(Completion.done()));
    long before = state.scn();
    assertTrue(world.runUntil(() -> state.scn() > before));
    for (int i = 0; i < callers; i++) {
      underWay++;
      change();
    }
    assertTrue(world.runUntil(() -> unplaced() == 0));
    long namings = state.scn() - before - changes;
    syncs = store.store().metrics().log().syncs();
    assertTrue(world.runUntil(() -> underWay == 0 && checkpointed[0]));
    store.verify();
    assertEquals(Completion.done(), store.close());
    return namings;
  }

  private void change() {
    store
        .store()
        .<Unit>change(
            (view, out) -> {
              changes++;
              out.putInode(StoreFixture.file(FIRST + FILES));
              return Completion.done();
            },
            Durability.SYNC,
            completion -> {
              assertEquals(Completion.done(), completion);
              if (unplaced() > 0) {
                change();
              } else {
                underWay--;
              }
            });
  }

  private int unplaced() {
    int count = 0;
    for (int file = 0; file < FILES; file++) {
      count += state.segments().overlay(FIRST + file).isEmpty() ? 0 : 1;
    }
    return count;
  }
}
