package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.completion.Completion;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.SimWorld;
import dev.upcall.sim.store.SimCounts;
import dev.upcall.sim.store.SimWorkload;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Workloads on a device that refuses something at each moment at which it can: one workload after
 * the other, until each machine that can has met the refusal.
 */
class StoreDeviceFaultTest {
  private static final int IMAGES = 2;

  /** Workloads of so many seeds at most. */
  private static final int MAX_SEEDS = 100;

  /** The device refuses at so many moments at least. */
  private static final int MIN_MOMENTS = 60;

  /** Each machine that waits for a sync, where it is told that the sync has failed. */
  private static final Set<String> FAILED_SYNCS =
      Set.of(
          "Checkpoint SYNCING -> IDLE",
          "LogScan SYNCING -> FAILED",
          "LogWriter SYNCING_BATCH -> FAILED",
          "LogWriter SYNCING_EXTENTS -> FAILED",
          "SnapshotCreation SYNCING -> DONE",
          "SuperblockWriting SYNCING_BACK -> FAILED",
          "SuperblockWriting SYNCING_FRONT -> FAILED");

  /** The ways to ask for room, and each machine that is told that there is none. */
  private static final Set<String> FULL =
      Set.of(
          "Room IDLE -> BACKING",
          "Room IDLE -> GROWING",
          "Room GROWING -> UNDOING",
          "Change WAITING_FOR_SPACE -> DONE",
          "SnapshotCreation ALLOCATING -> DONE",
          "Stager FINISHING -> FAILED",
          "Stager PLACING -> FAILED");

  private static final Set<String> ASKING =
      Set.of(
          "room wanted, there are free blocks without", "room wanted, all free blocks have theirs");

  private static final Set<String> BEING_REFUSED =
      Set.of("device full", "volume full", "no space", "no space, device error");

  private final Set<String> seen = new TreeSet<>();
  private long moments;

  /**
   * Each sync of a life fails once, those of its opening included. Whatever is acknowledged then is
   * there after a crash, whatever later syncs have said.
   */
  @Test
  void eachSyncFails() {
    for (long seed = 1; isLookingFor(FAILED_SYNCS, seed); seed++) {
      SimWorkload whole = new SimWorkload(seed);
      long before = whole.world().disk().syncs();
      whole.run(FaultPlan.NONE);
      long syncs = whole.world().disk().syncs() - before;
      for (long sync = 1; sync <= syncs; sync++) {
        SimWorkload hurt = new SimWorkload(seed);
        hurt.run(FaultPlan.NONE.withFailAtSync(before + sync));
        seen.addAll(taken(hurt.world(), Set.of("sync failed")));
        for (int i = 0; i < IMAGES; i++) {
          DiskImage image = hurt.crashImage(new SplittableRandom(sync * IMAGES + i));
          hurt.on(image, "sync " + sync + " failed").recoverAndCheck(FaultPlan.NONE);
        }
      }
      moments += syncs;
    }
    assertEquals(FAILED_SYNCS, seen);
  }

  /**
   * The device is full from each request on that needs room: an allocation, or a write into a hole.
   * All requests are answered. When there is room again the store goes on, without being opened
   * anew, and nothing is lost.
   */
  @Test
  void theDeviceIsFullFromEachRequestForRoomOn() {
    for (long seed = 1; isLookingFor(FULL, seed); seed++) {
      SimWorkload whole = new SimWorkload(seed);
      long before = whole.world().disk().roomRequests();
      whole.run(FaultPlan.NONE);
      long requests = whole.world().disk().roomRequests() - before;
      Set<String> usual = taken(whole.world(), BEING_REFUSED);
      if (requests == 0 || !whole.putLarge() || !whole.putSmall()) {
        continue; // some volumes are too small themselves
      }
      seen.addAll(taken(whole.world(), ASKING));
      for (long request = 1; request <= requests; request++) {
        SimWorkload hurt = new SimWorkload(seed);
        hurt.run(FaultPlan.NONE.withFullAtRoom(before + request));
        hurt.putLarge(); // of several writes: it may be refused while some are still to come
        Set<String> refused = taken(hurt.world(), BEING_REFUSED);
        refused.removeAll(usual);
        seen.addAll(refused);
        goOn(hurt, request);
      }
      moments += requests;
    }
    assertEquals(FULL, seen);
  }

  private static void goOn(SimWorkload hurt, long request) {
    hurt.world().disk().setFaults(FaultPlan.NONE);
    assertInstanceOf(
        Completion.Done.class,
        hurt.world().await(hurt.store()::checkpoint),
        "a checkpoint after request " + request);
    assertTrue(hurt.putSmall(), "new content after request " + request);
    DiskImage image = hurt.crashImage(new SplittableRandom(request));
    hurt.on(image, "full from request " + request + " on").recoverAndCheck(FaultPlan.NONE);
  }

  private boolean isLookingFor(Set<String> expected, long seed) {
    return seed <= MAX_SEEDS && (moments < MIN_MOMENTS || !seen.containsAll(expected));
  }

  /** The moves that a world's machines have made and that are declared with one of these events. */
  private static Set<String> taken(SimWorld world, Set<String> events) {
    SimCounts counts = new SimCounts();
    counts.machineEnded(world);
    Set<String> taken = new TreeSet<>();
    counts
        .moves()
        .forEach(
            (machine, moves) ->
                moves.stream()
                    .filter(move -> move.count() > 0 && events.contains(move.event()))
                    .map(move -> machine + " " + move.from() + " -> " + move.to())
                    .forEach(taken::add));
    return taken;
  }
}
