package dev.upcall.fsm;

import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.door.Blocking;
import dev.upcall.fsm.wakeup.Inbox;
import dev.upcall.fsm.wakeup.SpinHistory;
import java.util.function.IntSupplier;

/**
 * Keeps a dispatcher awake for a moment when a thread that waits for each of its calls ({@link
 * Blocking}) has just got its answer, and is likely to call again at once: waking a sleeping thread
 * takes longer than most calls. Only after such a call, only while other processors are there, and
 * only as long as callers have come back in time lately. The dispatcher's.
 */
final class CallerWatch {
  /** Looks at the inbox between two turns, in which the reactor is looked at. */
  private static final int LOOKS = 200;

  /** Turns of one watch at most, should the clock stand still. */
  private static final int TURNS_LIMIT = 1000;

  private static final long NEVER = Long.MIN_VALUE;

  private final long spinNanos;
  private final IntSupplier processors;
  private final SpinHistory history = new SpinHistory();
  private boolean served;
  private boolean watching;
  private int turns;
  private long idleSinceNanos = NEVER;

  CallerWatch(WaitConfig config, IntSupplier processors) {
    this.spinNanos = config.spinNanos();
    this.processors = processors;
  }

  /** A caller gets its answer. */
  void served() {
    served = true;
  }

  /** A caller's request begins. */
  void called(long calledNanos, TurnMeter meter) {
    end(meter);
    if (idleSinceNanos != NEVER) {
      history.record(calledNanos - idleSinceNanos <= spinNanos);
      idleSinceNanos = NEVER;
    }
  }

  /**
   * There is nothing to do. Looks for callers a little, if that may pay.
   *
   * @return whether the dispatcher should turn once more instead of sleeping
   */
  boolean watch(Inbox<?> inbox, TurnMeter meter) {
    if (served) {
      served = false;
      end(meter);
      idleSinceNanos = meter.nowNanos();
      turns = 0;
      watching = spinNanos > 0 && history.pays() && processors.getAsInt() > 1;
    }
    if (!watching) {
      return false;
    }
    if (++turns > TURNS_LIMIT || meter.nowNanos() - idleSinceNanos >= spinNanos) {
      end(meter);
      return false;
    }
    for (int look = 0; look < LOOKS && inbox.isEmpty(); look++) {
      Thread.onSpinWait();
    }
    return true;
  }

  private void end(TurnMeter meter) {
    if (watching) {
      watching = false;
      meter.spun(meter.nowNanos() - idleSinceNanos);
    }
  }
}
