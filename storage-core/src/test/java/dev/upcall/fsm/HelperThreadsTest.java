package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Helpers on a machine that gives so many threads and no more. */
class HelperThreadsTest {
  private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
  private final ManualClock clock = new ManualClock();
  private final AtomicInteger refusals = new AtomicInteger();
  private final HelperThreads helpers = new HelperThreads(8, this::start, clock);

  private void start(Runnable body) {
    if (left.getAndDecrement() <= 0) {
      refusals.incrementAndGet();
      throw new OutOfMemoryError("unable to create native thread");
    }
    Thread.ofPlatform().daemon().start(body);
  }

  @AfterEach
  void end() {
    helpers.awaitEnd();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void execute_withoutAnyThread_isRefused() {
    left.set(0);
    assertFalse(helpers.execute(() -> {}));
  }

  @Test
  void execute_afterARefusal_triesAgain() {
    left.set(0);
    assertFalse(helpers.execute(() -> {}));
    left.set(1);
    CountDownLatch done = new CountDownLatch(1);
    assertTrue(helpers.execute(done::countDown));
    await(done);
  }

  @Test
  void execute_withAllThreadsBusyAndNoMore_isDoneInTurn() {
    left.set(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(3);
    List<Integer> order = new ArrayList<>();
    assertTrue(helpers.execute(() -> await(goOn)));
    for (int i = 0; i < 3; i++) {
      int number = i;
      assertTrue(
          helpers.execute(
              () -> {
                order.add(number);
                done.countDown();
              }));
    }
    assertTrue(helpers.waiting() >= 3);
    assertEquals(1, refusals.get(), "asked once, not for each");
    goOn.countDown();
    await(done);
    assertEquals(List.of(0, 1, 2), order);
  }

  @Test
  void execute_aSecondAfterARefusal_asksForAThreadAgain() {
    left.set(1);
    CountDownLatch goOn = new CountDownLatch(1);
    assertTrue(helpers.execute(() -> await(goOn)));
    assertTrue(helpers.execute(() -> {}));
    assertTrue(helpers.execute(() -> {}));
    assertEquals(1, refusals.get());
    clock.advance(TimeUnit.SECONDS.toNanos(1) + 1);
    assertTrue(helpers.execute(() -> {}));
    assertEquals(2, refusals.get());
    goOn.countDown();
  }

  @Test
  void execute_behindWorkThatThrows_isDone() {
    left.set(1);
    CountDownLatch done = new CountDownLatch(1);
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((_, _) -> {});
    try {
      assertTrue(
          helpers.execute(
              () -> {
                throw new AssertionError("of the work's own");
              }));
      assertTrue(helpers.execute(done::countDown));
      await(done);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void execute_behindTheEnd_isRefused() {
    CountDownLatch done = new CountDownLatch(1);
    assertTrue(helpers.execute(done::countDown));
    helpers.awaitEnd();
    assertEquals(0, done.getCount());
    assertFalse(helpers.execute(() -> {}));
  }

  @Test
  void drop_leavesWhatNobodyHasBegun() {
    left.set(1);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    assertTrue(
        helpers.execute(
            () -> {
              begun.countDown();
              await(goOn);
            }));
    assertTrue(helpers.execute(done::incrementAndGet));
    await(begun);
    Thread dropping = Thread.ofPlatform().start(helpers::drop);
    while (helpers.waiting() > 0) {
      Thread.onSpinWait();
    }
    goOn.countDown();
    helpers.awaitEnd();
    assertEquals(0, done.get());
    assertFalse(dropping.isInterrupted());
  }
}
