package dev.upcall.txn;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.Completion;
import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fixed workload on a device that refuses something at each moment at which it can. */
class StoreDeviceFaultTest {
  private static final int IMAGES = 2;

  /**
   * Each sync of a life fails once, those of its opening included. Whatever is acknowledged then is
   * there after a crash, whatever later syncs have said.
   */
  @ParameterizedTest
  @ValueSource(longs = {16, 45, 59})
  void eachSyncFails(long seed) {
    long before = new SimWorkload(seed).world().disk().syncs();
    SimWorkload whole = new SimWorkload(seed);
    whole.run(FaultPlan.NONE);
    long syncs = whole.world().disk().syncs() - before;
    assertTrue(syncs > 20, "syncs of the workload: " + syncs);
    for (long sync = 1; sync <= syncs; sync++) {
      SimWorkload hurt = new SimWorkload(seed);
      hurt.run(FaultPlan.NONE.withFailAtSync(before + sync));
      for (int i = 0; i < IMAGES; i++) {
        DiskImage image = hurt.crashImage(new SplittableRandom(sync * IMAGES + i));
        hurt.on(image, "sync " + sync + " failed").recoverAndCheck(FaultPlan.NONE);
      }
    }
  }

  /**
   * The device is full from each request on that needs room: an allocation, or a write into a hole.
   * All requests are answered. When there is room again the store goes on, without being opened
   * anew, and nothing is lost.
   */
  @ParameterizedTest
  @ValueSource(longs = {24, 58, 86})
  void theDeviceIsFullFromEachRequestForRoomOn(long seed) {
    SimWorkload whole = new SimWorkload(seed);
    long before = whole.world().disk().roomRequests();
    whole.run(FaultPlan.NONE);
    long requests = whole.world().disk().roomRequests() - before;
    assertTrue(requests > 15, "requests for room in the workload: " + requests);
    for (long request = 1; request <= requests; request++) {
      SimWorkload hurt = new SimWorkload(seed);
      hurt.run(FaultPlan.NONE.withFullAtRoom(before + request));
      hurt.world().disk().setFaults(FaultPlan.NONE);
      assertInstanceOf(
          Completion.Done.class,
          hurt.world().await(hurt.store()::checkpoint),
          "a checkpoint after request " + request);
      assertTrue(hurt.putSmall(), "new content after request " + request);
      DiskImage image = hurt.crashImage(new SplittableRandom(request));
      hurt.on(image, "full from request " + request + " on").recoverAndCheck(FaultPlan.NONE);
    }
  }
}
