package dev.upcall.threads;

import dev.upcall.base.Clock;
import dev.upcall.fsm.meter.StageMeter;
import dev.upcall.fsm.meter.StageStamps;
import dev.upcall.fsm.meter.StageTimes;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The stage stamps of calls by many threads (see {@link StageStamps}): when the call came, when it
 * asked the device, when its thread ran again after that, when it returned. Any thread. While it is
 * off a call reads one field.
 *
 * <p>No call waits for another one here, which would change what is measured: who finds the sums
 * taken leaves its stamps to the next one.
 */
public final class CallStages {
  private final Clock clock;
  private final AtomicLong calls = new AtomicLong();
  private final ConcurrentLinkedQueue<StageStamps> returned = new ConcurrentLinkedQueue<>();

  /** The right to take from the queue and to add up. */
  private final ReentrantLock sums = new ReentrantLock();

  private final StageMeter meter;
  private volatile int every;

  /** Off. */
  CallStages(Clock clock) {
    this.clock = clock;
    this.meter = new StageMeter(clock);
  }

  /** See {@link StageMeter#stampEvery}. */
  public void stampEvery(int callsEach) {
    sums.lock();
    try {
      meter.stampEvery(callsEach);
      every = callsEach;
    } finally {
      sums.unlock();
    }
  }

  /** A call begins: its stamps, or null if it is not looked at. */
  public @Nullable StageStamps called() {
    int each = every;
    return each == 0 || (each > 1 && calls.getAndIncrement() % each != 0)
        ? null
        : new StageStamps(clock);
  }

  /** It returns. */
  public void returned(StageStamps stamps) {
    stamps.handled();
    returned.add(stamps);
    if (sums.tryLock()) {
      try {
        addUp();
      } finally {
        sums.unlock();
      }
    }
  }

  /** What was collected since {@link #stampEvery}. */
  public StageTimes times() {
    sums.lock();
    try {
      addUp();
      return meter.times();
    } finally {
      sums.unlock();
    }
  }

  private void addUp() {
    for (StageStamps next = returned.poll(); next != null; next = returned.poll()) {
      meter.handled(next);
    }
  }
}
