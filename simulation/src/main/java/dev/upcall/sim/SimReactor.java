package dev.upcall.sim;

import dev.upcall.base.Clock;
import dev.upcall.base.Invariants;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.HeapRoom;
import dev.upcall.fsm.Reactor;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A reactor whose events are simulated: what would come from a kernel is put here with the time at
 * which it comes, and waiting moves the {@link SimClock} to the next event or timer.
 */
public final class SimReactor implements Reactor {
  private record Event(long atNanos, long sequence, Runnable upcall) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }
  }

  private static final long HELP_NANOS = 100_000;

  private final SimClock clock;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private @Nullable Dispatcher dispatcher;
  private long sequence;
  private boolean stalled;

  /** From when on others have filled the heap, and until when. */
  private long heapFullNanos;

  private long heapBackNanos;

  /** Memory that is lost is there again when somebody has restored it. */
  private boolean roomIsLost;

  private boolean waitsForHeap = true;
  private @Nullable BooleanSupplier upcallFails;
  private BooleanSupplier allocationFails = () -> false;
  private BooleanSupplier stepFails = () -> false;
  private @Nullable Runnable helpRefused;
  private BooleanSupplier submissionDue = () -> false;

  /** A reactor without events. */
  public SimReactor(SimClock clock) {
    this.clock = clock;
  }

  @Override
  public void attach(Dispatcher owner) {
    Invariants.check(dispatcher == null, "reactor attached twice");
    dispatcher = owner;
  }

  /** Delivers an upcall through the dispatcher's FIFO after a simulated delay. */
  public void after(long delayNanos, Runnable upcall) {
    Invariants.check(delayNanos >= 0, "event in the past", delayNanos);
    events.add(new Event(clock.monotonicNanos() + delayNanos, sequence++, upcall));
  }

  /** When a turn's upcalls end early, as {@link #isSubmissionDue}; else never. */
  public void submissionDue(BooleanSupplier when) {
    submissionDue = when;
  }

  @Override
  public boolean isSubmissionDue() {
    return submissionDue.getAsBoolean();
  }

  /** How many events are still to come. */
  public int pending() {
    return events.size();
  }

  /** Whether the last wait found neither an event nor a timer to wait for: nothing can happen. */
  public boolean stalled() {
    return stalled;
  }

  @Override
  public int reap(int limit) {
    int reaped = 0;
    while (reaped < limit) {
      Event first = events.peek();
      if (first == null || first.atNanos > clock.monotonicNanos()) {
        break;
      }
      events.remove();
      Invariants.present(dispatcher, "reactor attached").post(allocating(first.upcall));
      reaped++;
    }
    stalled = false;
    return reaped;
  }

  @Override
  public void submit() {}

  @Override
  public void await(long timeoutNanos) {
    Event first = events.peek();
    if (first == null && timeoutNanos == Long.MAX_VALUE) {
      stalled = true;
      return;
    }
    long toEvent =
        first == null ? Long.MAX_VALUE : Math.max(0, first.atNanos - clock.monotonicNanos());
    clock.advance(Math.min(toEvent, timeoutNanos));
  }

  @Override
  public void wakeup() {}

  /**
   * From now on there are no threads for helpers.
   *
   * @param refusal run each time one is asked for, before the answer
   */
  public void refuseHelp(Runnable refusal) {
    helpRefused = refusal;
  }

  /** When an allocation of a query fails; else never. */
  public void allocationFails(BooleanSupplier when) {
    allocationFails = when;
  }

  /** For queries of a simulation: throws where the heap has no room for what they make. */
  public void allocate() {
    if (allocationFails.getAsBoolean()) {
      throw new OutOfMemoryError("Java heap space (simulated)");
    }
  }

  /** When a step of a change, or of what brings its content, finds no room; else never. */
  public void stepFails(BooleanSupplier when) {
    stepFails = when;
  }

  /** For planners of a simulation: throws where the heap has no room for what they make. */
  public void allocateInStep() {
    if (stepFails.getAsBoolean()) {
      throw new OutOfMemoryError("Java heap space (simulated)");
    }
  }

  /**
   * When an upcall of an event that begins while others have filled the heap finds no room; else
   * never.
   */
  public void upcallFails(BooleanSupplier when) {
    upcallFails = when;
  }

  private Runnable allocating(Runnable upcall) {
    BooleanSupplier fails = upcallFails;
    return fails == null
        ? upcall
        : () -> {
          if (heapFullForNanos() > 0 && fails.getAsBoolean()) {
            throw new OutOfMemoryError("Java heap space (simulated)");
          }
          upcall.run();
        };
  }

  /** Whether the heap has room from now on. */
  public void heapRoom(boolean isThere) {
    fillHeapUntil(isThere ? clock.monotonicNanos() : Long.MAX_VALUE);
  }

  /** Others fill the heap, for so long. */
  public void fillHeap(long nanos) {
    fillHeapUntil(clock.monotonicNanos() + nanos);
  }

  private void fillHeapUntil(long nanos) {
    heapFullNanos = clock.monotonicNanos();
    heapBackNanos = nanos;
    roomIsLost = heapFullForNanos() > 0;
  }

  /** For how long others have filled the heap by now; 0 where it has room. */
  public long heapFullForNanos() {
    long now = clock.monotonicNanos();
    return now < heapBackNanos ? Math.max(1, now - heapFullNanos) : 0;
  }

  /** Broken on purpose: nobody waits for the heap to have room again. */
  public void neverWaitForHeap() {
    waitsForHeap = false;
  }

  @Override
  public HeapRoom heapRoom() {
    return new HeapRoom() {
      @Override
      public boolean isThere() {
        return !roomIsLost;
      }

      @Override
      public boolean restore(Clock time) {
        return !stepFails.getAsBoolean() && restore();
      }

      private boolean restore() {
        roomIsLost = heapFullForNanos() > 0;
        return !roomIsLost;
      }

      @Override
      public boolean awaitRestored(Clock time, long nanos) {
        if (waitsForHeap) {
          clock.advance(Math.clamp(heapBackNanos - clock.monotonicNanos(), 0, nanos));
        }
        return restore();
      }
    };
  }

  /** What a helper does is done after a while, without a thread. */
  @Override
  public boolean help(String what, Runnable work) {
    if (helpRefused != null) {
      helpRefused.run();
      return false;
    }
    after(HELP_NANOS, work);
    return true;
  }

  @Override
  public void awaitHelpers() {}

  @Override
  public void close() {
    events.clear();
  }
}
