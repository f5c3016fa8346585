package dev.upcall.fsm.door;

import dev.upcall.base.Clock;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.wakeup.AdaptivePoll;
import dev.upcall.fsm.wakeup.CallerLooks;
import dev.upcall.fsm.wakeup.Processors;
import dev.upcall.fsm.wakeup.SpinHistory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets threads that wait for an answer look for it a while before they park: only as long as
 * answers have come in time lately, and only so many threads at once that one processor is left to
 * the dispatcher. Any thread.
 *
 * <p>Who looks while nobody else does, and is a platform thread, may look on for as long as a
 * durable write takes, but then lets others have the processor between two looks: the kernel's
 * workers above all, one of which ends such a write.
 */
final class CallerSpin {
  /** Looks between two readings of the clock. */
  private static final int LOOKS = 16;

  /** So small a part of the longest look may all who look take, and keep the processor. */
  private static final int KEPT_PART = 4;

  /** Who looked for so many times the longest look was not alone on its processor. */
  private static final int DISPLACED = 4;

  private final long limitNanos;
  private final long keptNanos;
  private final Clock clock;
  private final Processors processors;
  private final CallerLooks looked;
  private final SpinHistory history = new SpinHistory();

  /** Of the one who looks alone, by the count of those who look. */
  private final AdaptivePoll poll;

  private final AtomicInteger looking = new AtomicInteger();

  CallerSpin(Dispatcher dispatcher) {
    this.limitNanos = dispatcher.config().waiting().callerSpinNanos();
    this.keptNanos = limitNanos / KEPT_PART;
    this.poll = new AdaptivePoll(limitNanos);
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
    return limitNanos > 0 ? clock.monotonicNanos() : 0;
  }

  /** Looks for an answer, for a while at most, if that may pay. */
  void look(Answer answer, long calledNanos) {
    if (limitNanos == 0 || processors.count() == 1) {
      return;
    }
    int others = looking.getAndIncrement();
    long pollNanos = others == 0 && !Thread.currentThread().isVirtual() ? poll.begin() : 0;
    if (pollNanos > 0) {
      long tookNanos = lookNow(answer, calledNanos, pollNanos);
      if (tookNanos >= DISPLACED * pollNanos) {
        poll.displaced();
      } else {
        poll.ended(tookNanos < pollNanos);
      }
    } else if (others + 1 < processors.count() && history.pays()) {
      lookNow(answer, calledNanos, keptNanos);
    }
    looking.decrementAndGet();
  }

  /** How long ago the call is at the end of the look. */
  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on the yield but others' waiting
  private long lookNow(Answer answer, long calledNanos, long forNanos) {
    long keepNanos = Thread.currentThread().isVirtual() ? 0 : keptNanos;
    long tookNanos = 0;
    boolean found = answer.isThere();
    for (int looks = 1; !found && tookNanos < forNanos; looks++) {
      boolean yields = tookNanos >= keepNanos;
      if (yields) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
      found = answer.isThere();
      if (found || yields || looks % LOOKS == 0) {
        tookNanos = clock.monotonicNanos() - calledNanos;
      }
    }
    looked.ended(found, tookNanos);
    return tookNanos;
  }

  /** An answer has come, after this time. */
  void waited(long nanos) {
    history.record(nanos <= keptNanos);
    if (looking.compareAndSet(0, 1)) {
      poll.waitTook(nanos);
      looking.decrementAndGet();
    }
  }
}
