package dev.upcall.fsm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Threads that a turn has completions for and that are woken together, when the turn ends or a
 * bound is reached: a thread that is woken for the first of many completions takes the core from
 * the dispatcher that is about to make the others. The dispatcher's.
 */
final class TurnWakes {
  private final int limit;
  private final long delayNanos;
  private final Consumer<Thread> waker;
  private final List<Thread> sleepers = new ArrayList<>();
  private long firstNanos;
  private int upcalls;

  /** Wakes by calling {@code waker}. */
  TurnWakes(WaitConfig config, Consumer<Thread> waker) {
    this.limit = config.wakeLimit();
    this.delayNanos = config.wakeDelayNanos();
    this.waker = waker;
  }

  /** A thread is to be woken. */
  void add(Thread sleeper, long nowNanos) {
    if (sleepers.isEmpty()) {
      firstNanos = nowNanos;
      upcalls = 0;
    }
    sleepers.add(sleeper);
  }

  /** An upcall has ended. */
  void upcallEnded(long nowNanos) {
    if (!sleepers.isEmpty() && (++upcalls >= limit || nowNanos - firstNanos >= delayNanos)) {
      wakeAll();
    }
  }

  /** Wakes those that are to be woken, now. */
  void wakeAll() {
    if (!sleepers.isEmpty()) {
      sleepers.forEach(waker);
      sleepers.clear();
    }
  }
}
