package dev.upcall.sim.store;

import dev.upcall.sim.SimReactor;
import dev.upcall.sim.store.plan.Canary;
import dev.upcall.sim.store.plan.SimChance;
import dev.upcall.sim.store.plan.SimFault;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The heap of one life: callers keep results until it is full, let go of them, and keep others. The
 * store's thread waits for that between two upcalls. When it has waited in vain, it may find no
 * memory, and then it ends.
 */
final class SimHeap {
  private static final long FULL_NANOS = 20_000_000;

  /** So long the store's thread waits at most (docs/limits.md). */
  private static final long PATIENCE_NANOS = 10_000_000_000L;

  private static final int ALLOCATION_FAILS_ONE_IN = 8;
  private static final int STEP_FAILS_ONE_IN = 16;
  private static final int UPCALL_FAILS_ONE_IN = 32;

  private final SimReactor reactor;
  private final SplittableRandom random;

  private SimHeap(SimReactor reactor, SplittableRandom random) {
    this.reactor = reactor;
    this.random = random;
  }

  /** Begins, with those faults of a life that are the heap's. */
  static void begin(Set<SimFault> faults, SimReactor reactor, SimChance chances, Canary canary) {
    if (faults.contains(SimFault.FULL_HEAP)) {
      new SimHeap(reactor, chances.heap()).begin(canary);
    }
    if (faults.contains(SimFault.NO_HEAP_FOR_CHANGES)) {
      SplittableRandom planning = chances.planning();
      reactor.stepFails(() -> planning.nextInt(STEP_FAILS_ONE_IN) == 0);
    }
  }

  private void begin(Canary canary) {
    reactor.allocationFails(() -> random.nextInt(ALLOCATION_FAILS_ONE_IN) == 0);
    reactor.upcallFails(() -> random.nextInt(UPCALL_FAILS_ONE_IN) == 0);
    if (canary == Canary.UPCALLS_DO_NOT_WAIT) {
      reactor.neverWaitForHeap();
    }
    fillSoon();
  }

  private void fillSoon() {
    reactor.after(random.nextLong(FULL_NANOS), this::fill);
  }

  /** For a while, which may be longer than anybody waits. */
  private void fill() {
    long longer = random.nextBoolean() ? PATIENCE_NANOS : 0;
    long nanos = longer + random.nextLong(FULL_NANOS);
    reactor.fillHeap(nanos);
    if (random.nextInt(3) != 0) {
      reactor.after(nanos, this::fillSoon);
    }
  }

  /** The store's thread has ended for want of memory: that may be only where it has waited. */
  static void mayEnd(SimReactor reactor, OutOfMemoryError noRoom) {
    long nanos = reactor.heapFullForNanos();
    if (nanos < PATIENCE_NANOS) {
      throw new AssertionError(
          "the store's thread ended when the heap was full for %d ns".formatted(nanos), noRoom);
    }
  }
}
