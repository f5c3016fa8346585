package dev.upcall.sim.store;

import dev.upcall.sim.store.plan.Canary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Lifetimes of a store on an encrypted volume, through all faults that its seed turns on, with keys
 * that are replaced and others that are tried in vain. Between two lives the device is searched for
 * plain text.
 */
class SealedLivesTest {
  @Test
  void lifetimes() {
    long one = Long.getLong("upcall.sim.seed", 0);
    if (one != 0) {
      run(one);
    }
    for (long seed = 1; seed <= 40; seed++) {
      run(seed);
    }
  }

  @Test
  @Tag("long")
  void manyLifetimes() {
    for (long seed = 200_000; seed < 200_500; seed++) {
      run(seed);
    }
  }

  private static void run(long seed) {
    SimLifetime.run(new SimRun(seed, Canary.SOUND, Canary.SOUND, SimDevice.SEALED));
  }
}
