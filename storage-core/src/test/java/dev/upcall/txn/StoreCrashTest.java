package dev.upcall.txn;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.sim.DiskImage;
import dev.upcall.sim.FaultPlan;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fixed workload is cut off at each of its steps, and so is the recovery from that. */
class StoreCrashTest {
  private static final int IMAGES = 2;

  @ParameterizedTest
  @ValueSource(longs = {3, 8})
  void crashAtEveryStepOfALife(long seed) {
    long steps = workload(seed, 0).steps();
    assertTrue(steps > 100, "steps of the workload: " + steps);
    for (long step = 1; step <= steps; step++) {
      SimLifetime cut = workload(seed, step);
      SimModel model = cut.model();
      for (int i = 0; i < IMAGES; i++) {
        DiskImage image = cut.crashImage(new SplittableRandom(step * IMAGES + i));
        cut.on(image, model.copy()).named("crash at step " + step).recoverAndCheck(FaultPlan.NONE);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {3})
  void crashAtEveryStepOfARecovery(long seed) {
    long steps = workload(seed, 0).steps();
    for (long step = steps / 5; step <= steps; step += steps / 5) {
      SimLifetime cut = workload(seed, step);
      DiskImage image = cut.crashImage(new SplittableRandom(step));
      boolean crashed = true;
      for (long at = 1; crashed; at++) {
        SimLifetime again =
            cut.on(image, cut.model().copy()).named("crash at " + step + ", again at " + at);
        crashed = again.recoverAndCheck(FaultPlan.crashAt(at));
      }
    }
  }

  /** A life of all kinds of requests that ends at a step, or at its end. */
  private static SimLifetime workload(long seed, long crashAtStep) {
    SimLifetime lifetime = new SimLifetime(seed, Canary.SOUND);
    lifetime.format();
    lifetime.firstLife(crashAtStep);
    return lifetime;
  }
}
