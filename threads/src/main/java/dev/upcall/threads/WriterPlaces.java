package dev.upcall.threads;

import dev.upcall.base.Clock;
import dev.upcall.completion.Failure;
import dev.upcall.config.PlaceConfig;
import dev.upcall.pressure.PlaceQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The places of new content on its way, for threads that wait: what {@link PlaceQueue} is for
 * machines. Any thread.
 */
final class WriterPlaces {
  private static final String WHAT = "new content on its way";

  /** More than can ever wait, so that nobody waits any more. */
  private static final int ENOUGH = 1 << 30;

  private final int count;
  private final PlaceConfig limits;
  private final Clock clock;
  private final Semaphore places;
  private final AtomicInteger waiting = new AtomicInteger();
  private volatile boolean stopped;

  WriterPlaces(int count, PlaceConfig limits, Clock clock) {
    this.count = count;
    this.limits = limits;
    this.clock = clock;
    this.places = new Semaphore(count, /* fair= */ true);
  }

  /** Takes a place, waiting in the order of coming; why there is none, or null. */
  @Nullable Failure take() {
    if (acquire(0)) {
      return null;
    }
    int before = waiting.getAndIncrement();
    try {
      if (before >= limits.maxWaiting()) {
        return PlaceQueue.full(WHAT, count, before);
      }
      if (!acquire(limits.waitNanos())) {
        return PlaceQueue.late(WHAT, count, limits);
      }
    } finally {
      waiting.decrementAndGet();
    }
    if (stopped) {
      places.release();
      return new Failure.Closed("the store");
    }
    return null;
  }

  /** An interrupt ends no wait, and stays pending. */
  private boolean acquire(long waitNanos) {
    long deadlineNanos = clock.monotonicNanos() + waitNanos;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          // With a time also that of 0 keeps to the order of coming.
          return places.tryAcquire(deadlineNanos - clock.monotonicNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException goesOn) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Gives a place back. */
  void leave() {
    places.release();
  }

  /** Who waits gets {@code Closed}; who comes from now on finds a place. Once. */
  void stopWaiting() {
    stopped = true;
    places.release(ENOUGH);
  }
}
