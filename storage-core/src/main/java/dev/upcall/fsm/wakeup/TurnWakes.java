package dev.upcall.fsm.wakeup;

import dev.upcall.config.WaitConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Threads that a turn has completions for and that are woken together, when the turn ends or a
 * bound is reached: a thread that is woken for the first of many completions takes the core from
 * the dispatcher that is about to make the others. The dispatcher's.
 */
public final class TurnWakes {
  private final int limit;
  private final long delayNanos;
  private final Consumer<Thread> waker;
  private final List<Thread> sleepers = new ArrayList<>();
  private long firstNanos;
  private int upcalls;

  /** Wakes by calling {@code waker}. */
  public TurnWakes(WaitConfig config, Consumer<Thread> waker) {
    this.limit = config.wakeLimit();
    this.delayNanos = config.wakeDelayNanos();
    this.waker = waker;
  }

  /** A thread is to be woken. */
  public void add(Thread sleeper, long nowNanos) {
    if (sleepers.isEmpty()) {
      firstNanos = nowNanos;
      upcalls = 0;
    }
    sleepers.add(sleeper);
  }

  /** An upcall has ended. */
  public void upcallEnded(long nowNanos) {
    if (!sleepers.isEmpty() && (++upcalls >= limit || nowNanos - firstNanos >= delayNanos)) {
      wakeAll();
    }
  }

  /** Wakes those that are to be woken, now. */
  public void wakeAll() {
    if (!sleepers.isEmpty()) {
      sleepers.forEach(waker);
      sleepers.clear();
    }
  }
}
