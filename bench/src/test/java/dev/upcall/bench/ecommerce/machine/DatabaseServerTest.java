package dev.upcall.bench.ecommerce.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.io.IoClass;
import dev.upcall.io.trace.BlockProfile;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Small servers in virtual time. */
class DatabaseServerTest {
  private static RunResult run(Workload.Kind kind, int clients, Policy policy, long seed) {
    RunPlan plan =
        new RunPlan(
            kind,
            kind.mixes().getLast(),
            clients,
            new RunPlan.Setting(policy, Journal.BLOCK),
            new RunPlan.Length(
                1.0 / 256, TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(5), seed));
    return DatabaseServer.run(plan);
  }

  @Test
  void onePlanGivesOneResult() {
    for (Workload.Kind kind : Workload.Kind.values()) {
      RunResult first = run(kind, 8, Policy.ANTICIPATORY_4MS, 1);
      RunResult again = run(kind, 8, Policy.ANTICIPATORY_4MS, 1);
      assertEquals(first.answers(), again.answers());
      assertEquals(first.places(), again.places());
      assertEquals(first.profile().reads().blocks(), again.profile().reads().blocks());
      assertNotEquals(
          first.places(), run(kind, 8, Policy.ANTICIPATORY_4MS, 2).places(), kind.label());
    }
  }

  @Test
  void ourLogWritesInARowAndTheOthersDoNot() {
    RunResult ours = run(Workload.Kind.TPC_C, 20, Journal.LOG);
    RunResult block = run(Workload.Kind.TPC_C, 20, Journal.BLOCK);
    double inARow = ours.profile().writes().sequentiality();
    assertTrue(inARow > 2 * block.profile().writes().sequentiality(), "sequential: " + inARow);
    assertEquals(ours.places(), run(Workload.Kind.TPC_C, 20, Journal.LOG).places());
    long byTable = ours.places().readBlocks().values().stream().mapToLong(Long::longValue).sum();
    assertEquals(ours.profile().reads().blocks(), byTable, "pages are known wherever they lie");
  }

  private static RunResult run(Workload.Kind kind, int clients, Journal journal) {
    return DatabaseServer.run(
        new RunPlan(
            kind,
            kind.mixes().getFirst(),
            clients,
            new RunPlan.Setting(Policy.ANTICIPATORY_4MS, journal),
            new RunPlan.Length(
                1.0 / 256, TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(5), 1)));
  }

  @Test
  void everyPolicyServesEverybody() {
    for (Policy policy : Policy.values()) {
      RunResult result = run(Workload.Kind.TPC_C, 20, policy, 3);
      assertTrue(result.answers().interactions() > 50, policy.label());
      assertTrue(result.profile().writes().requests() > 0, policy.label());
      assertTrue(result.answers().databaseShare() > 0.99, "TPC-C has no application");
    }
  }

  @Test
  void writesAreOfEachClassAndReadsHaveAskers() {
    BlockProfile profile = run(Workload.Kind.TPC_C, 4, Policy.NOOP, 1).profile();
    assertTrue(profile.classes().get(IoClass.LOG).requests() > 0);
    assertTrue(profile.classes().get(IoClass.BACKGROUND).requests() > 0);
    for (int asker = 1; asker <= 4; asker++) {
      assertTrue(profile.askers().get(asker).requests() > 0, "client " + asker);
    }
  }

  @Test
  void tablesOfReadsAddUp() {
    RunResult result = run(Workload.Kind.TPC_W, 8, Policy.DEADLINE, 1);
    long byTable = result.places().readBlocks().values().stream().mapToLong(Long::longValue).sum();
    assertEquals(result.profile().reads().blocks(), byTable);
    assertTrue(result.places().readShare("item") > 0.5);
    assertEquals(0, result.places().readShare("no such table"));
  }

  @Test
  void clientsThatThinkAnswerLittle() {
    RunResult result = run(Workload.Kind.RUBIS, 16, Policy.DEADLINE, 1);
    double mostPerMinute = 16 * 60 / 7.0 * 2;
    assertTrue(result.answers().perMinute() < mostPerMinute, "seven seconds of thinking");
    assertTrue(result.answers().databaseShare() < 1, "the application takes time, too");
  }
}
