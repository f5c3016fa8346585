package dev.upcall.trees;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A pace, in a time that goes on when somebody waits. */
class PaceTest {
  private static final long SECOND = 1_000_000_000;

  private final MadeUpTime time = new MadeUpTime();

  private static final class MadeUpTime implements Clock, Pace.Waiting {
    private long now = Long.MAX_VALUE - SECOND;
    private long start = now;
    private Runnable whenAsleep = () -> {};

    @Override
    public long monotonicNanos() {
      return now;
    }

    @Override
    public long epochNanos() {
      return now;
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      assertTrue(time.isPositive());
      now += time.toNanos();
      whenAsleep.run();
    }

    long passed() {
      return now - start;
    }
  }

  @Test
  void soManyBytesTakeSoLong() {
    Pace pace = new Pace(1000, time, time);
    for (int i = 0; i < 30; i++) {
      assertTrue(pace.take(100, () -> false));
    }
    assertEquals(3 * SECOND, time.passed());
  }

  @Test
  void whatTheWorkTakesIsMadeUpFor() {
    Pace pace = new Pace(1000, time, time);
    for (int i = 0; i < 30; i++) {
      assertTrue(pace.take(100, () -> false));
      time.now += SECOND / 20;
    }
    assertEquals(3 * SECOND + SECOND / 20, time.passed());
  }

  /** Otherwise what was slow for an hour could be as fast as it likes for another. */
  @Test
  void timeThatNobodyUsedIsLostButForASecond() {
    Pace pace = new Pace(1000, time, time);
    time.now += 3600 * SECOND;
    time.start = time.now;
    assertTrue(pace.take(3000, () -> false));
    assertEquals(2 * SECOND, time.passed());
  }

  @Test
  void twoTasksShareIt() {
    Pace pace = new Pace(1000, time, time);
    time.whenAsleep =
        () -> {
          time.whenAsleep = () -> {};
          assertTrue(pace.take(500, () -> false));
        };
    assertTrue(pace.take(500, () -> false));
    assertEquals(SECOND, time.passed());
  }

  @Test
  void aPauseLastsUntilItIsOver() {
    Pace pace = new Pace(1000, time, time);
    pace.pause();
    assertTrue(pace.isPaused());
    time.whenAsleep =
        () -> {
          if (time.passed() > 60 * SECOND) {
            pace.resume();
          }
        };
    assertTrue(pace.take(1, () -> false));
    assertTrue(time.passed() > 60 * SECOND && time.passed() < 61 * SECOND);
  }

  @Test
  void theEndIsNotWaitedFor() {
    Pace pace = new Pace(1, time, time);
    pace.pause();
    assertFalse(pace.take(1 << 20, () -> time.passed() > SECOND));
    assertTrue(time.passed() < 2 * SECOND);
    Thread.currentThread().interrupt();
    assertFalse(pace.take(1, () -> false));
    assertTrue(Thread.interrupted());
  }

  @Test
  void withoutALimitNobodyWaits() {
    Pace pace = new Pace(Long.MAX_VALUE, time, time);
    assertTrue(pace.take(1L << 50, () -> false));
    assertTrue(time.passed() < SECOND);
    assertTrue(Pace.unlimited().take(1L << 50, () -> false));
    assertThrows(IllegalArgumentException.class, () -> Pace.of(0));
  }
}
