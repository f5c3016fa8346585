package dev.upcall.txn.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.sim.FaultPlan;
import dev.upcall.space.Extent;
import dev.upcall.txn.volume.LogPoint;
import dev.upcall.txn.volume.VolumeLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FirstLapTest {
  private static final int RING = 256;
  private static final int STEP = 32;

  @Test
  void whereTheLogEndsSaysHowMuchIsPrepared() {
    for (int ring : new int[] {8, 9, 16, 17, 64, 1000}) {
      VolumeLayout layout = new VolumeLayout(ring, 64, 4096);
      for (int seed = 0; seed < 200; seed++) {
        SplittableRandom random = new SplittableRandom(seed);
        FirstLap lap = new FirstLap(layout, new LogState(LogPoint.ORIGIN, 0, 0, true));
        long prepared = layout.preparedLogBlocks(0);
        long position = 0;
        while (position < 2L * ring) {
          long batch = 1 + random.nextInt(layout.maxBatchBlocks());
          while (!lap.admits(position + batch)) {
            Extent step = lap.next();
            assertEquals(prepared, step.block());
            prepared = step.end();
            lap.prepared(step);
          }
          position += batch;
          lap.cameTo(position);
          assertTrue(afterReopening(layout, position, false) <= prepared, "after a batch");
          if (random.nextBoolean()) {
            position++;
            lap.cameTo(position);
            assertTrue(afterReopening(layout, position, true) <= prepared, "after a mark");
          }
          assertTrue(position <= prepared || prepared == ring, "behind what is prepared");
        }
        assertEquals(ring, prepared, "a whole lap");
      }
    }
  }

  /** What the next life takes for prepared. */
  private static long afterReopening(VolumeLayout layout, long position, boolean marked) {
    LogPoint next = new LogPoint(position, 1, 7, 0);
    FirstLap lap = new FirstLap(layout, new LogState(next, 1, 0, marked));
    return lap.preparedBlocks();
  }

  @Test
  void theRingGetsItsRoomAsTheLogComesThere() {
    LogRig rig = LogRig.onFirstLap(RING);
    long before = rig.world.disk().roomBlocks();
    rig.untilDurable(rig.append(10));
    rig.world.runUntilIdle();
    assertEquals(before, rig.world.disk().roomBlocks(), "a log that is hardly used");
    int blocks = 1;
    while (blocks < RING * 7 / 8 - 1) {
      while (!rig.writer.hasRoom(4000, List.of())) {
        rig.world.<Unit>get(port -> rig.writer.whenRoom(4000, List.of(), port));
      }
      rig.append(4000);
      blocks++;
    }
    rig.world.runUntilIdle();
    assertEquals(before + RING - STEP, rig.world.disk().roomBlocks());
    LogRig next = rig.crash(LogConfig.DEFAULT);
    assertEquals(rig.acknowledged.size(), next.writer.durableScn());
  }

  @Test
  void aFullDeviceIsSaidAndTriedAgain() {
    LogRig rig = LogRig.onFirstLap(RING);
    rig.world.disk().setCapacity(rig.world.disk().roomBlocks());
    while (rig.writer.hasRoom(4000, List.of())) {
      rig.untilDurable(rig.append(4000));
    }
    Completion<Unit> told = rig.world.await(port -> rig.writer.whenRoom(4000, List.of(), port));
    Failure failure = assertInstanceOf(Completion.Failed.class, told).failure();
    assertInstanceOf(Failure.VolumeFull.class, failure);
    rig.world.disk().setCapacity(1 << 20);
    assertFalse(rig.writer.hasRoom(4000, List.of()));
    rig.world.runUntilIdle();
    assertTrue(rig.writer.hasRoom(4000, List.of()));
    List<Completion<Unit>> closed = new ArrayList<>();
    rig.writer.close(closed::add);
    rig.world.runUntilIdle();
    assertEquals(List.of(Completion.done()), closed);
  }

  @Test
  void aSyncThatFailsIsTheEndOfTheLog() {
    LogRig rig = LogRig.onFirstLap(RING);
    while (rig.writer.hasRoom(4000, List.of())) {
      rig.append(4000);
    }
    // The one request under way besides the batch: room, then zeros, then the sync.
    rig.world.disk().setFaults(FaultPlan.NONE.withErrors(0, 0, 1_000_000));
    rig.world.runUntilIdle();
    assertEquals(LogWriter.State.FAILED, rig.writer.state());
    assertEquals(1, rig.failures.size());
  }

  @Test
  void whoeverClosesWaitsForWhatIsBeingPrepared() {
    LogRig rig = LogRig.onFirstLap(RING);
    while (rig.writer.hasRoom(4000, List.of())) {
      rig.append(4000);
    }
    List<Completion<Unit>> closed = new ArrayList<>();
    rig.writer.close(closed::add);
    rig.world.runUntilIdle();
    assertEquals(List.of(Completion.done()), closed);
    assertEquals(LogWriter.State.CLOSED, rig.writer.state());
  }
}
