package dev.upcall.bench.ecommerce.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Journal;
import dev.upcall.bench.ecommerce.machine.Policy;
import dev.upcall.bench.ecommerce.machine.RunPlan;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Small tables in a real store, in virtual time. */
class SimulatedStoreTest {
  private static RunPlan plan(Workload.Kind kind, long seed) {
    // Without a log only pages that are old are written.
    long seconds = kind == Workload.Kind.TPC_C ? 6 : 40;
    return new RunPlan(
        kind,
        kind.mixes().getLast(),
        /* clients= */ 8,
        new RunPlan.Setting(Policy.FAIR_SHARES, Journal.LOG),
        new RunPlan.Length(
            1.0 / 512, TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(seconds), seed));
  }

  @ParameterizedTest
  @EnumSource
  void onePlanGivesOneResultAndEveryPageIsRight(Workload.Kind kind) {
    StoreResult first = SimulatedStore.run(plan(kind, 1));
    assertEquals(first.answers(), SimulatedStore.run(plan(kind, 1)).answers());
    assertNotEquals(first.answers(), SimulatedStore.run(plan(kind, 2)).answers());
    assertTrue(first.answers().interactions() > 5, first.toString());
    assertTrue(first.givenBytes() > 0, first.toString());
    long byWriters = first.writers().values().stream().mapToLong(StoreResult.Written::blocks).sum();
    assertEquals(first.profile().writes().blocks(), byWriters);
    long sequential =
        first.writers().values().stream().mapToLong(StoreResult.Written::sequential).sum();
    assertEquals(first.profile().writes().sequential(), sequential);
  }
}
