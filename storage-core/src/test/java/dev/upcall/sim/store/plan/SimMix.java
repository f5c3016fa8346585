package dev.upcall.sim.store.plan;

import dev.upcall.sim.FaultPlan;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Which faults the lives of one lifetime meet: a random subset of all kinds, each with a random
 * chance, so that no kind hides another (swarm testing: Groce et al., ISSTA 2012).
 *
 * @param percent the chance of each kind in a life; kinds that are left out are missing
 */
public record SimMix(Map<SimFault, Integer> percent) {
  /** The chance at most of what ends a lifetime. */
  private static final int LAST_PERCENT = 20;

  static SimMix draw(SimChance chances) {
    EnumMap<SimFault, Integer> percent = new EnumMap<>(SimFault.class);
    for (SimFault fault : SimFault.values()) {
      SplittableRandom random = chances.of(fault);
      boolean on = random.nextInt(4) < (fault == SimFault.CRASH ? 3 : 1);
      int most = fault.leavesNothingCertain() ? LAST_PERCENT : 100;
      int chance = 1 + random.nextInt(most);
      if (on) {
        percent.put(fault, chance);
      }
    }
    return new SimMix(percent);
  }

  /**
   * What goes wrong in the next life. A disk that lies does nothing else, and nobody takes over
   * what was taken away.
   */
  public Set<SimFault> next(SimChance chances) {
    EnumSet<SimFault> faults = EnumSet.noneOf(SimFault.class);
    percent.forEach(
        (fault, chance) -> {
          if (chances.of(fault).nextInt(100) < chance) {
            faults.add(fault);
          }
        });
    if (faults.contains(SimFault.CUT) || faults.contains(SimFault.REMOVED)) {
      faults.remove(SimFault.HANGS);
    }
    return faults.contains(SimFault.LIES) ? EnumSet.of(SimFault.LIES) : faults;
  }

  /** What the device of a life does wrong, from a step on. */
  public static FaultPlan device(
      Set<SimFault> faults, long step, SimPlan plan, SplittableRandom random) {
    FaultPlan device = FaultPlan.NONE;
    int readErrors = faults.contains(SimFault.READ_ERRORS) ? random.nextInt(30_000) : 0;
    int writeErrors = faults.contains(SimFault.WRITE_ERRORS) ? random.nextInt(3000) : 0;
    int syncErrors = faults.contains(SimFault.WRITE_ERRORS) ? random.nextInt(10_000) : 0;
    device = device.withErrors(readErrors, writeErrors, syncErrors);
    if (faults.contains(SimFault.BAD_BLOCKS)) {
      device = device.withBadBlocks(SimPlan.pick(random, 3000, 100_000, 600_000));
    }
    if (faults.contains(SimFault.CRASH)) {
      device = device.withCrashAt(step + 1 + random.nextInt(700));
    }
    if (faults.contains(SimFault.ONE_ERROR)) {
      device = device.withFailAt(step + 1 + random.nextInt(300));
    }
    if (faults.contains(SimFault.STRAGGLERS)) {
      device = device.withStragglers(random.nextInt(60_000));
    }
    if (faults.contains(SimFault.LIES)) {
      device =
          device
              .withLies(random.nextInt(20_000), random.nextInt(20_000), random.nextInt(20_000))
              .within(plan.layout().dataStart(), plan.capBlocks());
    }
    return device;
  }

  /** What the device does wrong while the store is being opened. */
  public FaultPlan recovery(SplittableRandom random) {
    FaultPlan device = FaultPlan.NONE;
    if (percent.containsKey(SimFault.CRASH) && random.nextInt(3) == 0) {
      device = device.withCrashAt(1 + random.nextInt(80));
    }
    if (percent.containsKey(SimFault.ONE_ERROR) && random.nextInt(3) == 0) {
      device = device.withFailAt(1 + random.nextInt(60));
    }
    if (percent.containsKey(SimFault.STRAGGLERS)) {
      device = device.withStragglers(random.nextInt(60_000));
    }
    return device;
  }
}
