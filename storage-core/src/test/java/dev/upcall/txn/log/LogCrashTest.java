package dev.upcall.txn.log;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.fsm.Faults;
import dev.upcall.fsm.InjectedFaults;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the crash: all that was promised, nothing that was not appended, in order. */
class LogCrashTest {
  private static final int CANARY_SEEDS = 12;

  @Test
  void crashAtEveryStep() {
    long steps = 0;
    for (long seed = 1; seed <= 6; seed++) {
      steps += LogCrashes.everyStep(seed, Faults.NONE, 3);
    }
    assertTrue(steps > 600, "the workload is too small: " + steps + " steps");
  }

  @Test
  void manyLivesOfOneVolume() {
    for (long seed = 1; seed <= 150; seed++) {
      LogCrashes.manyLives(seed, Faults.NONE);
    }
  }

  @Test
  void aRottenLogIsReportedNotShortened() {
    int reported = 0;
    for (long seed = 1; seed <= 80; seed++) {
      reported += LogCrashes.rotten(seed, Faults.NONE) ? 1 : 0;
    }
    assertTrue(reported > 15, "reported only " + reported);
  }

  @Test
  void everyRequestFailsOnce() {
    for (long seed = 1; seed <= 4; seed++) {
      LogCrashes.everyFailure(seed, Faults.NONE);
    }
  }

  /** The workloads above catch each deliberate fault within a dozen seeds. */
  @ParameterizedTest
  @EnumSource(LogFault.class)
  void canariesAreCaught(LogFault fault) {
    Faults faults = InjectedFaults.of(fault);
    for (long seed = 1; seed <= CANARY_SEEDS; seed++) {
      if (breaksAPromise(seed, faults)) {
        return;
      }
    }
    throw new AssertionError(fault + " was not noticed in " + CANARY_SEEDS + " seeds");
  }

  private static boolean breaksAPromise(long seed, Faults faults) {
    try {
      LogCrashes.manyLives(seed, faults);
      LogCrashes.rotten(seed, faults);
      LogCrashes.everyStep(seed, faults, 1);
      LogCrashes.everyFailure(seed, faults);
      return false;
    } catch (AssertionError | LogRecovery.Refused e) {
      return true;
    }
  }
}
