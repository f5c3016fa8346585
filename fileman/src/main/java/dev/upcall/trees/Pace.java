package dev.upcall.trees;

import dev.upcall.base.Clock;
import dev.upcall.base.SystemClock;
import dev.upcall.config.Limits;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * How fast content may be rewritten: so many bytes a second on average, and not at all while it is
 * paused. Several tasks may have one pace together. Any thread.
 *
 * <pre>{@code
 * Pace pace = Pace.of(20 << 20);
 * TreeTask task = Trees.rewriting(store, "/mail", pace, TreeWatch.none());
 * task.start(executor);
 * pace.pause();
 * }</pre>
 */
public final class Pace {
  private static final long SLICE_NANOS = 50_000_000;
  private static final double SECOND = 1e9;

  /** Time of the work itself is made up for, a pause is not. */
  private static final long CREDIT_NANOS = 1_000_000_000;

  /** Longer than anybody waits, and short enough to be added to a moment. */
  private static final long MOST_NANOS = Long.MAX_VALUE / 4;

  private final Clock clock;
  private final Waiting waiting;
  private final long bytesPerSecond;
  private volatile boolean isPaused;

  /** Held by the one that waits for its bytes; the others wait for that. */
  private final ReentrantLock turn = new ReentrantLock(/* fair= */ true);

  /** From when on more may go; guarded by the turn. */
  private long nextNanos;

  /** Waits so long; tests do it otherwise. */
  interface Waiting {
    void sleep(Duration time) throws InterruptedException;
  }

  Pace(long bytesPerSecond, Clock clock, Waiting waiting) {
    this.bytesPerSecond = bytesPerSecond;
    this.clock = clock;
    this.waiting = waiting;
    this.nextNanos = clock.monotonicNanos();
  }

  /** As fast as it goes, while it is not paused. */
  public static Pace unlimited() {
    return new Pace(Long.MAX_VALUE, new SystemClock(), Thread::sleep);
  }

  /**
   * At most so many bytes in a second, on average.
   *
   * @throws IllegalArgumentException for less than one
   */
  public static Pace of(long bytesPerSecond) {
    long checked = Limits.atLeast("bytesPerSecond", bytesPerSecond, 1);
    return new Pace(checked, new SystemClock(), Thread::sleep);
  }

  /** From the next piece on, nothing goes until {@link #resume}. */
  public void pause() {
    isPaused = true;
  }

  /** All may go on. */
  public void resume() {
    isPaused = false;
  }

  /** Whether it is paused. */
  public boolean isPaused() {
    return isPaused;
  }

  /**
   * Waits until so many bytes may have gone. To be called for each piece by those who do something
   * at this pace by themselves, such as the steps of a {@link FileRewrite}. An interrupt ends the
   * waiting, and is kept. Bytes for which the waiting has ended early have not gone: nobody else
   * waits for them.
   *
   * @param isStopped asked often
   * @return whether to go on; not when stopped or interrupted
   * @throws IllegalArgumentException for less than no bytes
   */
  public boolean take(long bytes, BooleanSupplier isStopped) {
    Objects.requireNonNull(isStopped, "isStopped");
    Limits.atLeast("bytes", bytes, 0);
    double nanos = bytes / (double) bytesPerSecond * SECOND;
    try {
      while (!turn.tryLock(SLICE_NANOS, TimeUnit.NANOSECONDS)) {
        if (isStopped.getAsBoolean()) {
          return false;
        }
      }
      try {
        return took((long) Math.min(nanos, (double) MOST_NANOS), isStopped);
      } finally {
        turn.unlock();
      }
    } catch (InterruptedException wanted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private boolean took(long nanos, BooleanSupplier isStopped) throws InterruptedException {
    long now = clock.monotonicNanos();
    if (nextNanos - now < -CREDIT_NANOS) {
      nextNanos = now - CREDIT_NANOS;
    }
    while (!isStopped.getAsBoolean()) {
      long left = isPaused ? SLICE_NANOS : nextNanos + nanos - clock.monotonicNanos();
      if (left <= 0) {
        nextNanos += nanos;
        return true;
      }
      waiting.sleep(Duration.ofNanos(Math.min(left, SLICE_NANOS)));
    }
    return false;
  }
}
