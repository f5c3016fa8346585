package dev.upcall.trees;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
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
  void bytesThatNobodyWaitedForAreNotWaitedForByOthers() {
    Pace pace = new Pace(1000, time, time);
    assertFalse(pace.take(100_000, () -> time.passed() > SECOND));
    assertTrue(pace.take(2000, () -> false));
    assertTrue(time.passed() < 3 * SECOND, "passed: " + time.passed());
  }

  /** Also where its turn comes after that of one who gives up. */
  @Test
  void theNextOneInLineGoesWhenTheOneBeforeGivesUp() throws Exception {
    Pace pace = Pace.of(1000);
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean isStopped = new AtomicBoolean();
    CompletableFuture<Boolean> first =
        CompletableFuture.supplyAsync(
            () ->
                pace.take(
                    1L << 40,
                    () -> {
                      begun.countDown();
                      return isStopped.get();
                    }));
    begun.await();
    CompletableFuture<Boolean> second =
        CompletableFuture.supplyAsync(() -> pace.take(10, () -> false));
    assertThrows(TimeoutException.class, () -> second.get(100, TimeUnit.MILLISECONDS));
    isStopped.set(true);
    assertFalse(first.join());
    assertTrue(second.get(120, TimeUnit.SECONDS));
  }

  @Test
  void hugeAmountsTakeLong_andThereAreNoNegativeOnes() {
    Pace pace = new Pace(1, time, time);
    for (int i = 1; i <= 3; i++) {
      long until = i * 60 * SECOND;
      assertFalse(pace.take(1L << 40, () -> time.passed() > until));
      assertTrue(time.passed() > until, "passed: " + time.passed());
    }
    assertThrows(IllegalArgumentException.class, () -> pace.take(-1, () -> false));
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
