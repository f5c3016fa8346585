package dev.upcall.locks;

import dev.upcall.base.Clock;
import java.util.concurrent.atomic.LongAdder;

/** How often and how long threads waited for one lock. Costs nothing while nobody waits. */
final class LockMeter {
  private final LockRank rank;
  private final Clock clock;
  private final LongAdder waits = new LongAdder();
  private final LongAdder waitedNanos = new LongAdder();

  LockMeter(LockRank rank, Clock clock) {
    this.rank = rank;
    this.clock = clock;
  }

  long begins() {
    return clock.monotonicNanos();
  }

  void ended(long begunNanos) {
    waits.increment();
    waitedNanos.add(clock.monotonicNanos() - begunNanos);
  }

  LockWait snapshot() {
    return new LockWait(rank, waits.sum(), waitedNanos.sum());
  }
}
