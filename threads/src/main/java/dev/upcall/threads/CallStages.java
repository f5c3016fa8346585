package dev.upcall.threads;

import dev.upcall.base.Clock;
import dev.upcall.config.Limits;
import dev.upcall.fsm.meter.StageMeter;
import dev.upcall.fsm.meter.StageStamps;
import dev.upcall.fsm.meter.StageSums;
import dev.upcall.fsm.meter.StageTimes;
import dev.upcall.fsm.record.Stage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The stages of calls by many threads: when the call came, when it asked the device, when its
 * thread ran again after that, when it returned. Any thread. While it is off a call reads one
 * field.
 *
 * <p>A call stays on its thread from its beginning to its end, so the thread has its stamps. There
 * is no flight recorder here: many writers of one ring would have to agree on each place.
 *
 * <p>No call waits for another one here, which would change what is measured: who finds the sums
 * taken leaves its stamps to the next one.
 */
public final class CallStages {
  private final Clock clock;
  private final AtomicLong calls = new AtomicLong();

  @SuppressWarnings("ThreadLocalUsage") // one for each store: nothing is static here
  private final ThreadLocal<@Nullable StageStamps> present = new ThreadLocal<>();

  private final ConcurrentLinkedQueue<Returned> returned = new ConcurrentLinkedQueue<>();

  /** The right to take from the queue and to add up. */
  private final ReentrantLock lock = new ReentrantLock();

  private StageSums sums = new StageSums();
  private volatile int every;

  /** A call that is looked at and has returned. */
  private record Returned(StageStamps stamps, long calledNanos, long returnedNanos) {}

  /** Off. */
  CallStages(Clock clock) {
    this.clock = clock;
  }

  /** See {@link StageMeter#stampEvery}. */
  public void stampEvery(int callsEach) {
    Limits.atLeast("stamped calls", callsEach, 0);
    lock.lock();
    try {
      addUp();
      sums = new StageSums();
      every = callsEach;
    } finally {
      lock.unlock();
    }
  }

  /** Makes a call on this thread, and looks at it if it is to be looked at. */
  public <T> T of(Supplier<T> call) {
    int each = every;
    if (each == 0 || (each > 1 && calls.getAndIncrement() % each != 0)) {
      return call.get();
    }
    StageStamps stamps = new StageStamps();
    long calledNanos = clock.monotonicNanos();
    present.set(stamps);
    try {
      return call.get();
    } finally {
      present.remove();
      add(new Returned(stamps, calledNanos, clock.monotonicNanos()));
    }
  }

  /** The call of this thread comes to a point of its way. */
  void stamp(Stage stage) {
    StageStamps stamps = every == 0 ? null : present.get();
    if (stamps != null) {
      stamps.stamp(stage, clock.monotonicNanos());
    }
  }

  private void add(Returned call) {
    returned.add(call);
    if (lock.tryLock()) {
      try {
        addUp();
      } finally {
        lock.unlock();
      }
    }
  }

  /** What was collected since {@link #stampEvery}. */
  public StageTimes times() {
    lock.lock();
    try {
      addUp();
      return sums.times();
    } finally {
      lock.unlock();
    }
  }

  private void addUp() {
    for (Returned next = returned.poll(); next != null; next = returned.poll()) {
      sums.add(next.stamps(), next.calledNanos(), next.returnedNanos());
    }
  }
}
