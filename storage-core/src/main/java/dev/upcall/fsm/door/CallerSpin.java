package dev.upcall.fsm.door;

import dev.upcall.base.Clock;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.wakeup.CallerLooks;
import dev.upcall.fsm.wakeup.Processors;
import dev.upcall.fsm.wakeup.SpinHistory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets threads that wait for an answer look for it a while before they park: only as long as
 * answers have come in time lately, and only so many threads at once that one processor is left to
 * the dispatcher. Any thread.
 */
final class CallerSpin {
  /** Looks between two readings of the clock. */
  private static final int LOOKS = 16;

  private final long spinNanos;
  private final Clock clock;
  private final Processors processors;
  private final CallerLooks looked;
  private final SpinHistory history = new SpinHistory();
  private final AtomicInteger spinning = new AtomicInteger();

  CallerSpin(Dispatcher dispatcher) {
    this.spinNanos = dispatcher.config().waiting().callerSpinNanos();
    this.clock = dispatcher.clock();
    this.processors = dispatcher.sleep().processors();
    this.looked = dispatcher.sleep().callerLooks();
  }

  /** What somebody waits for. */
  interface Answer {
    /** Whether it has come; any thread. */
    boolean isThere();
  }

  /** The present, for {@link #look} and {@link #waited}. */
  long nowNanos() {
    return spinNanos > 0 ? clock.monotonicNanos() : 0;
  }

  /** Looks for an answer, for a while at most, if that may pay. */
  void look(Answer answer, long calledNanos) {
    if (spinNanos == 0 || !history.pays() || processors.count() == 1) {
      return;
    }
    if (spinning.incrementAndGet() < processors.count()) {
      lookNow(answer, calledNanos);
    }
    spinning.decrementAndGet();
  }

  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on the yield but others' waiting
  private void lookNow(Answer answer, long calledNanos) {
    boolean yields = Thread.currentThread().isVirtual();
    long tookNanos = 0;
    boolean found = answer.isThere();
    for (int looks = 1; !found && tookNanos < spinNanos; looks++) {
      if (yields) {
        Thread.yield(); // the carrier has others to run
      } else {
        Thread.onSpinWait();
      }
      found = answer.isThere();
      if (found || looks % LOOKS == 0) {
        tookNanos = clock.monotonicNanos() - calledNanos;
      }
    }
    looked.ended(found, tookNanos);
  }

  /** An answer has come, after this time. */
  void waited(long nanos) {
    history.record(nanos <= spinNanos);
  }
}
