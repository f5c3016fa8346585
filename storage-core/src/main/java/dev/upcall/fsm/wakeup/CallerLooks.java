package dev.upcall.fsm.wakeup;

import dev.upcall.fsm.meter.LookCounts;
import java.util.concurrent.atomic.LongAdder;

/** Counts how threads that wait for their calls look for the answers. Any thread. */
public final class CallerLooks {
  private final LongAdder looks = new LongAdder();
  private final LongAdder found = new LongAdder();
  private final LongAdder nanos = new LongAdder();

  /** A caller has looked for its answer, from its call on. */
  public void ended(boolean itCame, long tookNanos) {
    looks.increment();
    if (itCame) {
      found.increment();
    }
    nanos.add(Math.max(0, tookNanos));
  }

  /** So far. */
  public LookCounts counts() {
    return new LookCounts(looks.sum(), found.sum(), nanos.sum());
  }
}
