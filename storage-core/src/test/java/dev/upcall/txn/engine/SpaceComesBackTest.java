package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.content.StagedContent;
import dev.upcall.io.Disk;
import dev.upcall.io.DiskOperation;
import dev.upcall.pressure.PressureCounters;
import dev.upcall.pressure.Scarce;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.store.StoreFixture;
import dev.upcall.store.VerifyOptions;
import dev.upcall.store.VerifyReport;
import dev.upcall.txn.Store;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Space that a store no longer needs goes back to the device, and what it needs stays. */
class SpaceComesBackTest {
  private static final int FILE_BYTES = 300_000;
  private static final int FILES = 10;

  /** Of a volume that may not grow, three quarters. */
  private static final int FULL_FILES = 36;

  private static final int LARGE_BYTES = 3_000_000;
  private static final int SMALL_BYTES = 10;

  /** Long enough for a checkpoint of what was freed, too short for giving it back. */
  private static final long SHORT_NANOS = 10_000_000;

  @Test
  void anEmptiedStoreShrinks() {
    SimWorld world = formatted(1);
    StoreFixture store = open(world);
    fill(store);
    long fullBlocks = world.disk().sizeBlocks();
    empty(store);
    world.runUntilIdle();
    assertSizesAgree(store);
    long dataStart = StoreFixture.tinyLayout().dataStart();
    long allowed = dataStart + (fullBlocks - dataStart) / 4;
    assertTrue(world.disk().sizeBlocks() <= allowed, "size " + world.disk().sizeBlocks());
    fill(store);
    assertFilled(store);
    assertSound(store);
  }

  @Test
  void closingGivesBackWithoutWaiting() {
    SimWorld world = formatted(2);
    StoreFixture store = open(world);
    fill(store);
    long fullBlocks = world.disk().sizeBlocks();
    empty(store);
    assertEquals(Completion.done(), store.close());
    assertTrue(world.disk().roomBlocks() < fullBlocks / 2, "room " + world.disk().roomBlocks());
    SimWorld later = world.reopen(world.disk().contents());
    StoreFixture again = open(later);
    assertSizesAgree(again);
    assertSound(again);
  }

  /** What was never part of the state: uploads that broke off, an import that failed. */
  @Test
  void closingGivesBackWhatWasGivenUp() {
    SimWorld world = formatted(11);
    StoreFixture store = open(world);
    List<StagedContent> staged = new ArrayList<>();
    for (long id = 0; id < FILES; id++) {
      staged.add(
          assertInstanceOf(StagedContent.class, store.stage(StoreFixture.bytes(id, FILE_BYTES))));
    }
    long fullBlocks = world.disk().roomBlocks();
    staged.forEach(StagedContent::discard);
    assertEquals(Completion.done(), store.close());
    assertTrue(world.disk().roomBlocks() < fullBlocks / 2, "room " + world.disk().roomBlocks());
    StoreFixture again = open(world.reopen(world.disk().contents()));
    assertSizesAgree(again);
    assertSound(again);
  }

  @Test
  void holesAreFilledAgainOnlyAsFarAsTheDeviceHasRoom() {
    SimWorld world = formatted(3);
    StoreFixture store = open(world);
    fill(store);
    for (long id = 1; id < FILES; id++) {
      store.remove(100 + id);
    }
    world.runUntilIdle();
    world.disk().setCapacity(world.disk().roomBlocks() + 40);
    boolean refused = false;
    for (long id = 200; id < 220 && !refused; id++) {
      refused = store.stage(StoreFixture.bytes(id, FILE_BYTES)) == null;
    }
    assertTrue(refused, "the device should be full");
    assertEquals("", store.store().info().readOnlyReason());
    assertInstanceOf(Completion.Done.class, store.remove(100));
    assertInstanceOf(Completion.Done.class, world.await(store.store()::checkpoint));
    world.disk().setCapacity(8192);
    assertInstanceOf(Completion.Done.class, world.await(store.store()::checkpoint));
    assertInstanceOf(Completion.Done.class, store.put(300, StoreFixture.bytes(300, FILE_BYTES)));
    assertArrayEquals(StoreFixture.bytes(300, FILE_BYTES), store.read(300));
    assertSound(store);
  }

  @Test
  void whatIsReplacedAgainAndAgainKeepsItsRoom() {
    SimWorld world = formatted(9);
    StoreFixture store = open(world);
    for (int round = 0; round < 4; round++) {
      replaceLarge(store, round);
    }
    long settledBlocks = world.disk().sizeBlocks();
    long before = discards(world);
    for (int round = 4; round < 14; round++) {
      replaceLarge(store, round);
    }
    assertEquals(before, discards(world), "given back and needed again");
    assertEquals(settledBlocks, world.disk().sizeBlocks(), "grown");
    long keptBlocks = world.disk().roomBlocks();
    world.runUntilIdle();
    assertTrue(world.disk().roomBlocks() < keptBlocks, "kept for good: " + keptBlocks);
    assertArrayEquals(StoreFixture.bytes(13, LARGE_BYTES), store.read(100));
    assertSound(store);
  }

  /** Puts other content in the place of a large file's, and waits for a while. */
  private static void replaceLarge(StoreFixture store, long seed) {
    assertEquals(Completion.done(), store.put(100, StoreFixture.bytes(seed, LARGE_BYTES)));
    boolean[] over = {false};
    store.world().dispatcher().schedule(SHORT_NANOS, () -> over[0] = true);
    assertTrue(store.world().runUntil(() -> over[0]), "stalled");
  }

  private static long discards(SimWorld world) {
    return world.disk().counters().of(DiskOperation.DISCARD).requests();
  }

  @Test
  void deletingAtTheCapMakesRoom() {
    SimWorld world = formatted(4);
    StoreFixture store = open(world);
    long id = 100;
    Completion<Unit> put = store.put(id, StoreFixture.bytes(id, FILE_BYTES));
    while (put instanceof Completion.Done<Unit>) {
      id++;
      put = store.put(id, StoreFixture.bytes(id, FILE_BYTES));
    }
    for (long full = 100; full < id; full++) {
      assertInstanceOf(Completion.Done.class, store.remove(full));
    }
    for (long again = 100; again < id; again++) {
      assertInstanceOf(
          Completion.Done.class, store.put(again, StoreFixture.bytes(again, FILE_BYTES)));
    }
    assertSound(store);
  }

  @Test
  void changesOfMetadataAloneCallForNoCheckpoint() {
    SimWorld world = formatted(7);
    StoreFixture store = open(world);
    for (long id = 1; id <= 40; id++) {
      assertEquals(Completion.done(), store.put(id, StoreFixture.bytes(id, SMALL_BYTES)));
    }
    fill(store);
    empty(store);
    world.runUntilIdle();
    long before = checkpoints(store);
    int changes = 400;
    for (int i = 0; i < changes; i++) {
      long id = 1 + i * 7 % 40;
      assertEquals(Completion.done(), store.put(id, StoreFixture.bytes(i, SMALL_BYTES)));
    }
    long made = checkpoints(store) - before;
    // A block of log each, and at a quarter of 64 the log calls for one.
    assertTrue(made <= changes / 16, made + " checkpoints for " + changes + " small changes");
    assertSound(store);
  }

  @Test
  void manyDirtyPagesCallForACheckpoint() {
    SimWorld world = new SimWorld(8, SimDiskConfig.ofBlocks(0).withCapacity(16384));
    VolumeLayout longLog = new VolumeLayout(2048, 64, 8192);
    StoreFixture.format(world, longLog);
    StoreFixture store = StoreFixture.open(world);
    int files = 400;
    for (long id = 100; id < 100 + files; id++) {
      assertEquals(Completion.done(), store.put(id, StoreFixture.bytes(id, SMALL_BYTES)));
    }
    assertEquals(Completion.done(), world.await(store.store()::checkpoint));
    long most = 0;
    for (int i = 0; i < 45; i++) {
      long id = 100 + i * 8L;
      assertEquals(Completion.done(), store.put(id, StoreFixture.bytes(i, SMALL_BYTES)));
      world.runUntilIdle();
      most = Math.max(most, store.store().metrics().work().dirtyPages());
    }
    assertTrue(most > 32 && most <= 64, "dirty pages " + most); // the least that are many
    assertSound(store);
  }

  @Test
  void aCheckpointBringsSpaceBeforeSomebodyWaitsForIt() {
    SimWorld world = new SimWorld(12, SimDiskConfig.ofBlocks(0).withCapacity(8192));
    StoreFixture.format(world);
    StoreFixture store = StoreFixture.open(world);
    for (long id = 100; id < 100 + FULL_FILES; id++) {
      assertEquals(Completion.done(), store.put(id, StoreFixture.bytes(id, FILE_BYTES)));
    }
    overwrite(store, 1);
    assertEquals(StoreFixture.tinyLayout().maxBlocks(), world.disk().sizeBlocks(), "still grows");
    long before = waitedForSpace(store);
    overwrite(store, 4);
    assertEquals(before, waitedForSpace(store), "waited of " + 4 * FULL_FILES);
    assertSound(store);
  }

  private static void overwrite(StoreFixture store, int rounds) {
    for (int i = 0; i < rounds * FULL_FILES; i++) {
      long id = 100 + i % FULL_FILES;
      assertEquals(Completion.done(), store.put(id, StoreFixture.bytes(i, FILE_BYTES)));
    }
  }

  private static long waitedForSpace(StoreFixture store) {
    return store.store().metrics().pressure().stream()
        .filter(row -> row.what() == Scarce.SPACE)
        .mapToLong(PressureCounters::waited)
        .sum();
  }

  private static long checkpoints(StoreFixture store) {
    return store.store().metrics().work().checkpointNanos().count();
  }

  @Test
  void noCrashLosesAnything() {
    DiskImage start = formatted(5).disk().contents().fork();
    long steps = cutOff(start, 0).disk().steps();
    assertTrue(steps > 200, "steps " + steps);
    for (long step = 1; step <= steps; step++) {
      SimWorld crashed = cutOff(start, step);
      SimWorld world = crashed.reopen(crashed.disk().crashImage(new SplittableRandom(step)));
      StoreFixture store = open(world);
      assertSizesAgree(store);
      world.runUntilIdle();
      if (store.read(100) != null) {
        assertArrayEquals(StoreFixture.bytes(100, FILE_BYTES), store.read(100), "step " + step);
      }
      assertSound(store);
    }
  }

  /** Fills, empties, gives back, and fills again, up to a step (0 for to the end). */
  private static SimWorld cutOff(DiskImage start, long step) {
    SimWorld world = new SimWorld(5, SimDiskConfig.ofBlocks(0).withCapacity(8192)).reopen(start);
    world.disk().setFaults(FaultPlan.crashAt(step));
    StoreFixture store = StoreFixture.tryOpen(world, StoreFixture.givingBack(5));
    if (store == null) {
      return world;
    }
    for (long id = 100; id < 104 && !world.disk().crashed(); id++) {
      store.put(id, StoreFixture.bytes(id, FILE_BYTES));
    }
    for (long id = 101; id < 104 && !world.disk().crashed(); id++) {
      store.remove(id);
    }
    world.runUntilIdle();
    for (long id = 200; id < 202 && !world.disk().crashed(); id++) {
      store.put(id, StoreFixture.bytes(id, FILE_BYTES));
    }
    if (!world.disk().crashed()) {
      store.close();
    }
    return world;
  }

  @Test
  void aFileCutShorterThanItsLogSaysIsRefused() {
    SimWorld world = formatted(6);
    StoreFixture store = open(world);
    world.await(store.store()::checkpoint);
    long before = world.disk().sizeBlocks();
    fill(store);
    world.await(store.store()::flush);
    DiskImage image = world.disk().contents().fork();
    image.resize(before);
    SimWorld cut = world.reopen(image);
    Completion<Store> opened =
        cut.await(
            port -> Stores.open(cut.dispatcher(), cut.disk(), StoreFixture.givingBack(6), port));
    Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, opened);
    assertInstanceOf(Failure.Invalid.class, failed.failure());
    assertTrue(failed.failure().message().contains("cut short"), failed.failure().message());
  }

  private static SimWorld formatted(long seed) {
    SimWorld world = new SimWorld(seed, SimDiskConfig.ofBlocks(0).withCapacity(8192));
    StoreFixture.format(world);
    return world;
  }

  private static StoreFixture open(SimWorld world) {
    StoreFixture store = StoreFixture.tryOpen(world, StoreFixture.givingBack(world.seed()));
    assertNotNull(store, "not opened");
    return store;
  }

  private static void fill(StoreFixture store) {
    for (long id = 100; id < 100 + FILES; id++) {
      assertEquals(Completion.done(), store.put(id, StoreFixture.bytes(id, FILE_BYTES)));
    }
  }

  private static void empty(StoreFixture store) {
    for (long id = 100; id < 100 + FILES; id++) {
      assertEquals(Completion.done(), store.remove(id));
    }
  }

  private static void assertFilled(StoreFixture store) {
    for (long id = 100; id < 100 + FILES; id++) {
      assertArrayEquals(StoreFixture.bytes(id, FILE_BYTES), store.read(id));
    }
  }

  private static void assertSizesAgree(StoreFixture store) {
    assertEquals(
        store.world().disk().sizeBlocks() * Disk.BLOCK_BYTES, store.store().info().sizeBytes());
  }

  private static void assertSound(StoreFixture store) {
    VerifyReport report =
        store
            .world()
            .get(
                port ->
                    store
                        .store()
                        .verify(
                            new VerifyOptions(/* readContent= */ true), (at, of) -> true, port));
    assertTrue(report.isSound(), report.toString());
  }
}
