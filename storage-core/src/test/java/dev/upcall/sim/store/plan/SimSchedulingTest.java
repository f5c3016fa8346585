package dev.upcall.sim.store.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.io.schedule.DrawnScheduler;
import dev.upcall.io.schedule.IoPolicyConfig;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What stands before the disks of lifetimes. */
class SimSchedulingTest {
  private static final int SEEDS = 2000;

  /** Half of the seeds mean what they always have; the others have every policy equally often. */
  @Test
  void everyPolicyIsDrawn() {
    Map<String, Integer> drawn = new TreeMap<>();
    int asEver = 0;
    int merging = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      IoPolicyConfig config = SimPlan.draw(new SimChance(seed)).scheduling().drawn();
      if (config == null) {
        asEver++;
      } else {
        drawn.merge(config.policy(), 1, Integer::sum);
        merging += config.merging().maxBytes() > 0 ? 1 : 0;
      }
    }
    assertTrue(asEver > SEEDS * 2 / 5 && asEver < SEEDS * 3 / 5, "as ever: " + asEver);
    assertTrue(merging > SEEDS / 4, "merging: " + merging);
    assertEquals(DrawnScheduler.POLICIES, drawn.size(), drawn::toString);
    assertTrue(drawn.values().stream().allMatch(count -> count > SEEDS / 20), drawn::toString);
  }
}
