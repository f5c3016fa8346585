package dev.upcall.pressure;

import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/** What a store knows of one thing that it can be short of, and who waits for it. */
final class Row {
  private LongSupplier level = () -> 0;
  private Thresholds at = Thresholds.NONE;
  private final ArrayDeque<Waiter<?>> waiters = new ArrayDeque<>();
  private long waited;
  private long refused;

  /** Rounds of work that ended and may have brought too little. */
  private long rounds;

  /** Whether there may be room for the first of those who wait. */
  private boolean hasChanged;

  void watch(LongSupplier present, Thresholds thresholds) {
    level = present;
    at = thresholds;
  }

  long level() {
    return level.getAsLong();
  }

  Thresholds at() {
    return at;
  }

  boolean isUrgent() {
    return level() >= at.urgentAt();
  }

  /** Half-way to where work begins. */
  boolean isHalfWay() {
    return level() >= at.halfWay();
  }

  boolean callsForWork() {
    return level() >= at.workAt();
  }

  ArrayDeque<Waiter<?>> waiters() {
    return waiters;
  }

  boolean isAwaited() {
    return !waiters.isEmpty();
  }

  void entered(Waiter<?> waiter) {
    waiters.addLast(waiter);
    waited++;
  }

  void wasRefused() {
    refused++;
  }

  long rounds() {
    return rounds;
  }

  void roundEnded() {
    rounds++;
  }

  /** Takes note that there may be room; whether that is news. */
  boolean change() {
    boolean news = !hasChanged && isAwaited();
    hasChanged |= news;
    return news;
  }

  boolean takeChange() {
    boolean had = hasChanged;
    hasChanged = false;
    return had;
  }

  PressureCounters counters(Scarce what) {
    return new PressureCounters(what, level(), at, waiters.size(), waited, refused);
  }
}
