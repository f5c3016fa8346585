package dev.upcall.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole lifetimes of stores, from seeds. How to run others: {@code docs/hacking.md}. */
class StoreSimulatorTest {
  @Test
  void seedsThatFailedOnce() {
    SimSeeds.Tally tally = new SimSeeds.Tally();
    for (long seed : SimSeeds.kept()) {
      tally.run(seed, SimLifetime::run);
    }
    tally.check();
  }

  @Test
  void lifetimes() {
    long from = Long.getLong("upcall.sim.seed", 1);
    long seeds = Long.getLong("upcall.sim.seeds", from == 1 ? 60 : 1);
    SimSeeds.Tally tally = new SimSeeds.Tally();
    for (long seed = from; seed < from + seeds; seed++) {
      tally.run(seed, SimLifetime::run);
    }
    tally.check();
  }

  @Test
  void sameSeedSameTrace() {
    for (long seed = 1; seed <= 3; seed++) {
      assertEquals(SimLifetime.run(seed), SimLifetime.run(seed), "seed " + seed);
    }
  }

  /**
   * The same seeds everywhere, so that a red build means a change; fresh ones with {@code
   * -Dupcall.sim.seed}.
   */
  @Test
  @Tag("long")
  void manyLifetimes() {
    long start = System.nanoTime();
    long first = Long.getLong("upcall.sim.seed", 100_000);
    long seeds = Long.getLong("upcall.sim.seeds", 1500);
    SimSeeds.Tally tally = new SimSeeds.Tally();
    for (long seed = first; seed < first + seeds; seed++) {
      tally.run(seed, SimLifetime::run);
    }
    long perMinute = tally.runs() * 60_000_000_000L / (System.nanoTime() - start);
    System.out.println(
        tally.runs() + " lifetimes from seed " + first + ", " + perMinute + " a minute");
    tally.check();
    assertEquals(seeds, tally.runs());
  }
}
