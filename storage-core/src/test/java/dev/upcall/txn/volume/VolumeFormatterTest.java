package dev.upcall.txn.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.fsm.Faults;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimDiskConfig;
import dev.upcall.sim.SimWorld;
import dev.upcall.txn.log.LogRecovery;
import dev.upcall.txn.log.LogState;
import dev.upcall.txn.log.LogWorkload;
import java.util.List;
import org.junit.jupiter.api.Test;

class VolumeFormatterTest {
  private static final VolumeLayout LAYOUT = new VolumeLayout(600, 64, 4096);
  private static final Superblock FIRST =
      new Superblock(5, 1, 0, LogPoint.ORIGIN, List.of(), 0, 0, LAYOUT, 1024, 4096, 1, 0);

  private static Completion<Unit> format(SimWorld world) {
    return world.await(
        port -> new VolumeFormatter(world.dispatcher(), world.disk(), FIRST).start(port));
  }

  private static SimWorld emptyMachine(DiskImage image) {
    return new SimWorld(3, SimDiskConfig.ofBlocks(0).withCapacity(4096)).reopen(image);
  }

  private static Completion<Superblock> open(SimWorld world) {
    return world.await(
        port -> LogRecovery.open(new Superblocks(world.dispatcher(), world.disk()), port));
  }

  @Test
  void aNewVolumeOpensWithAnEmptyLog() {
    SimWorld world = emptyMachine(new DiskImage(0));
    assertEquals(Completion.done(), format(world));
    assertEquals(1024, world.disk().sizeBlocks());
    LogRecovery recovery = LogRecovery.of(world.crashAndReopen(), Faults.NONE);
    assertEquals(FIRST, recovery.superblock());
    assertEquals(new LogState(LogPoint.ORIGIN, 0, 0, true), recovery.state());
  }

  @Test
  void aCrashLeavesNoVolumeOrAWholeOne() {
    // Once on nothing, and once over an older volume with another layout.
    DiskImage old = LogWorkload.formatted(1);
    for (DiskImage before : List.of(new DiskImage(0), old)) {
      SimWorld whole = emptyMachine(before);
      format(whole);
      int volumes = 0;
      for (long step = 1; step <= whole.disk().steps(); step++) {
        SimWorld world = emptyMachine(before);
        world.disk().setFaults(FaultPlan.crashAt(step));
        assertNull(format(world));
        for (int i = 0; i < 8; i++) {
          SimWorld next = world.reopen(world.disk().crashImage(world.random()));
          switch (open(next)) {
            case Completion.Done<Superblock>(Superblock found) -> {
              if (found.equals(FIRST)) {
                volumes++;
                assertEquals(0, LogRecovery.of(next, Faults.NONE).records().size());
              } else {
                assertEquals(LogWorkload.firstSuperblock(38), found);
              }
            }
            case Completion.Failed<Superblock>(Failure failure) ->
                assertInstanceOf(Failure.Invalid.class, failure, "step " + step);
          }
        }
      }
      assertTrue(volumes > 0, "the superblocks were never written");
    }
  }

  @Test
  void whatNobodyHasComeToYetTakesNoRoom() {
    SimWorld world = emptyMachine(new DiskImage(0));
    format(world);
    int firstStep = 4 + LAYOUT.logStepBlocks();
    int homes = 2 * 2 * 1024 / 64;
    long extents = 1024 - LAYOUT.dataStart();
    assertEquals(firstStep + 2 + homes + extents, world.disk().roomBlocks());
  }

  @Test
  void aFullDeviceIsSaid() {
    SimWorld world =
        new SimWorld(3, SimDiskConfig.ofBlocks(0).withCapacity(100)).reopen(new DiskImage(0));
    Completion.Failed<?> failed = assertInstanceOf(Completion.Failed.class, format(world));
    assertInstanceOf(Failure.VolumeFull.class, failed.failure());
  }

  @Test
  void everyFailureIsToldAndLeavesNoVolumeThatWasNotTold() {
    SimWorld whole = emptyMachine(new DiskImage(0));
    format(whole);
    for (long step = 1; step <= whole.disk().steps(); step++) {
      SimWorld world = emptyMachine(new DiskImage(0));
      world.disk().setFaults(FaultPlan.NONE.withFailAt(step));
      Completion<Unit> told = format(world);
      if (told instanceof Completion.Done<Unit>) {
        assertInstanceOf(Completion.Done.class, open(world.crashAndReopen()));
      }
    }
  }
}
