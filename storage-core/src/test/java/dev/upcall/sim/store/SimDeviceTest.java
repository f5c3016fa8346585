package dev.upcall.sim.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.upcall.sim.store.plan.Canary;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lifetimes of the store on every kind of device, behind every policy. */
class SimDeviceTest {
  private static final int SEEDS = 6;

  @ParameterizedTest
  @EnumSource
  void aLifetimeHoldsAndIsTheSameEveryTime(SimDevice device) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      SimLifetime.run(new SimRun(seed, Canary.SOUND, Canary.SOUND, device));
    }
    SimRun again = new SimRun(SEEDS, Canary.SOUND, Canary.SOUND, device);
    assertEquals(SimLifetime.run(again), SimLifetime.run(again));
  }
}
