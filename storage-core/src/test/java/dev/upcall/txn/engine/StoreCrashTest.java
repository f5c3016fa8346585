package dev.upcall.txn.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import dev.upcall.sim.store.SimWorkload;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fixed workload is cut off at each of its steps, and so is the recovery from that. */
class StoreCrashTest {
  private static final int IMAGES = 2;

  @ParameterizedTest
  @ValueSource(longs = {3, 8})
  void crashAtEveryStepOfALife(long seed) {
    SimWorkload whole = new SimWorkload(seed);
    long steps = whole.run(FaultPlan.NONE);
    assertTrue(steps > 100, "steps of the workload: " + steps);
    assertTrue(whole.largeValues() > 0, "entries with content: " + whole.largeValues());
    for (long step = 1; step <= steps; step++) {
      SimWorkload cut = new SimWorkload(seed).cutAt(step);
      for (int i = 0; i < IMAGES; i++) {
        DiskImage image = cut.crashImage(new SplittableRandom(step * IMAGES + i));
        cut.on(image, "crash at step " + step).recoverAndCheck(FaultPlan.NONE);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {3})
  void crashAtEveryStepOfARecovery(long seed) {
    long steps = new SimWorkload(seed).run(FaultPlan.NONE);
    for (long step = steps / 5; step <= steps; step += steps / 5) {
      SimWorkload cut = new SimWorkload(seed).cutAt(step);
      DiskImage image = cut.crashImage(new SplittableRandom(step));
      boolean crashed = true;
      for (long at = 1; crashed; at++) {
        SimWorkload again = cut.on(image, "crash at " + step + ", again at " + at);
        crashed = again.recoverAndCheck(FaultPlan.crashAt(at));
      }
    }
  }
}
