package dev.upcall.fsm;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.config.Limits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Pending timers, earliest first, those of the same instant in the order of their arming. A binary
 * heap in which each timer knows its place, so that taking one back is logarithmic and leaves
 * nothing behind: idle timeouts are armed and taken back with every request.
 */
final class Timers {
  private final Clock clock;
  private final OwnerThread owner;
  private final FlightRecorder recorder;
  private long nextSequence;
  private Dispatcher.@Nullable Timer[] heap = new Dispatcher.@Nullable Timer[64];
  private int size;

  /** In the last turn they made way for a durable write. */
  private boolean putOff;

  Timers(Clock clock, OwnerThread owner, FlightRecorder recorder) {
    this.clock = clock;
    this.owner = owner;
    this.recorder = recorder;
  }

  /** Arms a timer; a delay beyond the end of time means never. */
  Dispatcher.Timer arm(long delayNanos, Runnable upcall) {
    owner.checkNobodyElse();
    Limits.atLeast("delayNanos", delayNanos, 0);
    long now = clock.monotonicNanos();
    long due = now + Math.min(delayNanos, Long.MAX_VALUE - Math.max(0, now));
    Dispatcher.Timer timer =
        new Dispatcher.Timer(this, due, nextSequence++, upcall, recorder.current());
    add(timer);
    return timer;
  }

  /** Takes a timer back, wherever it is in its life. */
  void cancel(Dispatcher.Timer timer) {
    owner.checkNobodyElse();
    if (timer.isPending()) {
      remove(timer);
    }
  }

  /**
   * Runs those that are due, but none that is armed meanwhile.
   *
   * <p>A durable write that an upcall of the turn has queued is handed to the kernel before them,
   * and while one is in flight they end as upcalls do, after one at the earliest. They are put off
   * once and not in the next turn again, so that a commit in each turn does not stop a checkpoint.
   */
  int runDue(int limit, TurnMeter meter, Reactor reactor) {
    putOff = !putOff && reactor.isDurableWriteQueued();
    if (size == 0 || putOff) {
      return 0;
    }
    meter.readClock(clock);
    long now = meter.nowNanos();
    long armedLater = nextSequence;
    int ran = 0;
    for (Dispatcher.Timer first = heap[0];
        first != null && first.dueNanos <= now && first.sequence < armedLater && ran < limit;
        first = heap[0]) {
      if (ran > 0 && meter.isReapDue(reactor)) {
        break;
      }
      remove(first);
      ran++;
      meter.upcallBegins(first.upcall, first.request);
      first.upcall.run();
      meter.upcallEnded(first.upcall, clock);
    }
    meter.timersRan(ran);
    return ran;
  }

  /** How long there is nothing to run; {@code Long.MAX_VALUE} for ever. */
  long nanosToNext() {
    Dispatcher.Timer first = heap[0];
    return first == null ? Long.MAX_VALUE : Math.max(0, first.dueNanos - clock.monotonicNanos());
  }

  private void add(Dispatcher.Timer timer) {
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    size++;
    siftUp(size - 1, timer);
  }

  private void remove(Dispatcher.Timer timer) {
    int hole = timer.place;
    Invariants.check(at(hole) == timer, "timer is not where it says", hole);
    timer.place = Dispatcher.Timer.NOWHERE;
    size--;
    Dispatcher.Timer last = at(size);
    heap[size] = null;
    if (hole < size) {
      siftDown(hole, last);
      if (last.place == hole) {
        siftUp(hole, last);
      }
    }
  }

  private Dispatcher.Timer at(int place) {
    return Invariants.present(heap[place], "a timer in the heap");
  }

  private void siftUp(int from, Dispatcher.Timer timer) {
    int hole = from;
    while (hole > 0) {
      int above = (hole - 1) >>> 1;
      Dispatcher.Timer parent = at(above);
      if (timer.compareTo(parent) >= 0) {
        break;
      }
      put(hole, parent);
      hole = above;
    }
    put(hole, timer);
  }

  private void siftDown(int from, Dispatcher.Timer timer) {
    int hole = from;
    for (int child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && at(child + 1).compareTo(at(child)) < 0) {
        child++;
      }
      if (timer.compareTo(at(child)) <= 0) {
        break;
      }
      put(hole, at(child));
      hole = child;
    }
    put(hole, timer);
  }

  private void put(int place, Dispatcher.Timer timer) {
    heap[place] = timer;
    timer.place = place;
  }
}
