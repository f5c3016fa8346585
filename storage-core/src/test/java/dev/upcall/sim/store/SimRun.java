package dev.upcall.sim.store;

import dev.upcall.sim.store.plan.Canary;

/**
 * One lifetime that can be run again.
 *
 * @param seed where its chance comes from
 * @param inputs the store for which faults are drawn: those that are broken on purpose crash more
 * @param store the one that is run, so that a replay may give another store the same inputs
 * @param device what its disk is
 */
public record SimRun(long seed, Canary inputs, Canary store, SimDevice device) {
  /** A lifetime of a store that gets its own inputs. */
  public static SimRun of(long seed, Canary canary) {
    return new SimRun(seed, canary, canary, device(canary));
  }

  /** The device of lifetimes in which a canary may be noticed. */
  public static SimDevice device(Canary canary) {
    return canary.isOfSeal() ? SimDevice.SEALED : SimDevice.DRAWN;
  }
}
