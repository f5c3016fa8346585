package dev.upcall.sim.store.campaign;

import dev.upcall.sim.store.SimCounts;
import dev.upcall.sim.store.SimLifetime;
import dev.upcall.sim.store.plan.Canary;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs consecutive seeds on some threads until enough were run, the time is over, or it is told to
 * stop. Each thread has whole lifetimes to itself. Any thread may ask how far it is.
 */
final class SimCampaign {
  /**
   * How much to run.
   *
   * @param first the first seed
   * @param seeds how many at most
   * @param nanos for how long; lifetimes that have begun by then are finished
   * @param threads on how many threads
   * @param untilFailure whether the first failure ends it
   */
  record Extent(long first, long seeds, long nanos, int threads, boolean untilFailure) {}

  private final Extent extent;
  private final Canary canary;
  private final SimRecordings recordings;
  private final SimSeeds.Tally tally = new SimSeeds.Tally();
  private final SimCounts counts = new SimCounts();
  private final long startNanos = System.nanoTime();
  private final List<Thread> threads = new ArrayList<>();
  private long begun;
  private long endNanos;
  private boolean stopped;

  SimCampaign(Extent extent, Canary canary, SimRecordings recordings) {
    this.extent = extent;
    this.canary = canary;
    this.recordings = recordings;
  }

  void start() {
    for (int i = 0; i < extent.threads(); i++) {
      threads.add(Thread.ofPlatform().name("lifetimes-" + i).start(this::work));
    }
  }

  /** Waits for the end, at most so long; whether it has come. */
  boolean awaitEnd(long nanos) throws InterruptedException {
    long deadline = System.nanoTime() + nanos;
    for (Thread thread : threads) {
      TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
      if (thread.isAlive()) {
        return false;
      }
    }
    return true;
  }

  private void work() {
    SimCounts mine = new SimCounts();
    for (long number = next(); number >= 0; number = next()) {
      long seed = extent.first() + number;
      boolean isNew = tally.run(seed, one -> SimLifetime.run(one, canary, mine));
      recordings.ended(seed, canary, isNew);
    }
    ended(mine);
  }

  /** The number of the next seed to run, or -1. */
  private synchronized long next() {
    boolean over =
        stopped
            || begun >= extent.seeds()
            || nanos() >= extent.nanos()
            || (extent.untilFailure() && tally.failures() > 0);
    return over ? -1 : begun++;
  }

  private synchronized void ended(SimCounts mine) {
    counts.add(mine);
    endNanos = System.nanoTime();
  }

  /** No lifetime begins any more. */
  synchronized void stop() {
    stopped = true;
  }

  /** For how long it has been running, or ran. */
  synchronized long nanos() {
    return (endNanos == 0 ? System.nanoTime() : endNanos) - startNanos;
  }

  Extent extent() {
    return extent;
  }

  /** Which of them were recorded. */
  SimRecordings recordings() {
    return recordings;
  }

  /** How the seeds ended. */
  SimSeeds.Tally tally() {
    return tally;
  }

  /** What the lifetimes were made of; after the end. */
  synchronized SimCounts counts() {
    return counts;
  }
}
