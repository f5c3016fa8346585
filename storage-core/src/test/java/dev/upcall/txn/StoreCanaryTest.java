package dev.upcall.txn;

import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulator notices every store that is broken on purpose. */
class StoreCanaryTest {
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SOUND")
  void isCaught(Canary canary) {
    for (long seed = 1; seed <= canary.seeds(); seed++) {
      try {
        SimLifetime.run(seed, canary, new SimCounts());
      } catch (AssertionError e) {
        System.out.println(canary + " is caught by seed " + seed);
        return;
      }
    }
    fail(canary + " was not noticed in " + canary.seeds() + " lifetimes");
  }
}
