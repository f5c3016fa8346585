package dev.upcall.fsm.door;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.upcall.base.Invariants;
import dev.upcall.base.ManualClock;
import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.fsm.ManualReactor;
import dev.upcall.fsm.Reactor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Wake-ups that are held back: each rule alone, then under stress. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CorkTest {
  private static final int LIMIT = 5;
  private static final long DOZE_NANOS = 7_000;

  private final ManualClock clock = new ManualClock();
  private final ManualReactor reactor = new ManualReactor(clock);
  private final Dispatcher dispatcher = new Dispatcher(clock, reactor, config(DOZE_NANOS));
  private final Cork cork = new Cork(dispatcher);
  private final RequestDoor door = new RequestDoor("corked", 100, dispatcher, cork);
  private final PassivePort<Integer> port = new PassivePort<>(dispatcher, cork);

  private static DispatcherConfig config(long dozeNanos) {
    return DispatcherConfig.defaults().withWaiting(new WaitConfig(LIMIT, 0, dozeNanos, 0, 0));
  }

  private void ask(int times) {
    for (int i = 0; i < times; i++) {
      door.<Integer>offer(inner -> dispatcher.complete(inner, Completion.done(1)), port);
    }
  }

  private int drain() {
    int count = 0;
    while (port.poll() != null) {
      count++;
    }
    return count;
  }

  /** Sleeps once; what happens meanwhile is told, the wake-ups it led to are returned. */
  private int wakeupsOf(Runnable meanwhile) {
    int before = reactor.wakeups;
    long awaited = reactor.calls.stream().filter("await"::equals).count();
    reactor.whileAwaiting = meanwhile;
    dispatcher.turn(true);
    reactor.whileAwaiting = () -> {};
    assertEquals(awaited + 1, reactor.calls.stream().filter("await"::equals).count(), "it slept");
    return reactor.wakeups - before;
  }

  /** A request that was answered, so that the next sleep is a doze. */
  private void begin() {
    ask(1);
    dispatcher.turn(false);
    assertEquals(1, drain());
  }

  @Test
  void aDispatcherThatSleepsForEverIsWokenByTheFirst() {
    assertEquals(1, wakeupsOf(() -> ask(3)));
    assertEquals(Long.MAX_VALUE, reactor.lastTimeoutNanos);
    dispatcher.turn(false);
    assertEquals(3, drain());
  }

  @Test
  void oneThatDozesIsWokenWhenTheHolderFindsNothing() {
    begin();
    assertEquals(0, wakeupsOf(() -> ask(LIMIT - 1)));
    assertEquals(DOZE_NANOS, reactor.lastTimeoutNanos);
    dispatcher.turn(false);
    assertEquals(LIMIT - 1, drain());
    assertEquals(
        1,
        wakeupsOf(
            () -> {
              ask(2);
              assertNull(port.poll());
              assertNull(port.poll());
            }),
        "once for both requests");
  }

  @Test
  void aHolderWithCompletionsLeftWakesNobody() {
    ask(3);
    dispatcher.turn(false);
    assertEquals(
        0,
        wakeupsOf(
            () -> {
              for (int i = 0; i < 3; i++) {
                assertEquals(Completion.done(1), port.poll());
                ask(1);
              }
            }));
  }

  @Test
  void atTheLimitItIsWokenInAnyCase() {
    begin();
    assertEquals(1, wakeupsOf(() -> ask(LIMIT + 1)));
  }

  @Test
  void whoeverElseComesWakesForTheCorkedOnesToo() {
    begin();
    assertEquals(
        1,
        wakeupsOf(
            () -> {
              ask(1);
              dispatcher.execute(() -> {});
              assertNull(port.poll());
            }));
  }

  @Test
  void aCorkedOneOnTopOfAWokenOneHoldsNothingBack() {
    begin();
    assertEquals(
        1,
        wakeupsOf(
            () -> {
              dispatcher.execute(() -> {});
              ask(1);
              assertNull(port.poll());
            }));
  }

  @Test
  void aHolderThatGoesAwayLeavesItsRequestToTheTimer() {
    begin();
    long began = clock.monotonicNanos();
    assertEquals(0, wakeupsOf(() -> ask(1)));
    assertEquals(began + DOZE_NANOS, clock.monotonicNanos());
    assertEquals(2, dispatcher.turn(true), "the request and its completion");
  }

  @Test
  void itDozesOnceAndThenSleepsForEver() {
    begin();
    wakeupsOf(() -> {});
    assertEquals(DOZE_NANOS, reactor.lastTimeoutNanos);
    assertEquals(1, wakeupsOf(() -> ask(1)));
    assertEquals(Long.MAX_VALUE, reactor.lastTimeoutNanos);
  }

  @Test
  void aTimerComesBeforeTheDozesEnd() {
    begin();
    dispatcher.schedule(DOZE_NANOS - 1, () -> {});
    wakeupsOf(() -> {});
    assertEquals(DOZE_NANOS - 1, reactor.lastTimeoutNanos);
  }

  @Test
  void withoutDozesEachSleeperIsWoken() {
    ManualReactor other = new ManualReactor(clock);
    Dispatcher restless = new Dispatcher(clock, other, config(0));
    Cork useless = new Cork(restless);
    useless.enter(() -> restless.sleep().dozeNext());
    restless.turn(false);
    other.whileAwaiting = () -> useless.enter(() -> {});
    restless.turn(true);
    assertEquals(1, other.wakeups);
    assertEquals(Long.MAX_VALUE, other.lastTimeoutNanos);
  }

  /** Parks, but its timer never rings: a wake-up that is lost stays lost. */
  private static final class NoTimer implements Reactor {
    private final ParkingReactor inner = new ParkingReactor();
    private final AtomicInteger dozes = new AtomicInteger();

    @Override
    public void attach(Dispatcher dispatcher) {}

    @Override
    public int reap(int limit) {
      return 0;
    }

    @Override
    public void submit() {}

    @Override
    public void await(long timeoutNanos) {
      if (timeoutNanos != Long.MAX_VALUE) {
        dozes.incrementAndGet();
      }
      inner.await(Long.MAX_VALUE);
    }

    @Override
    public void wakeup() {
      inner.wakeup();
    }

    @Override
    public boolean help(String what, Runnable work) {
      return inner.help(what, work);
    }

    @Override
    public void awaitHelpers() {
      inner.awaitHelpers();
    }

    @Override
    public void close() {}
  }

  /** Random bursts of two holders through doors that are sometimes full, and a plain caller. */
  @Test
  void noWakeUpIsLostWithoutTheTimer() throws InterruptedException {
    NoTimer parking = new NoTimer();
    Dispatcher behind = new Dispatcher(new SystemClock(), parking, config(1_000_000_000));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread owner = start(behind::run, thrown);
    Thread first = start(() -> bursts(behind, 1), thrown);
    Thread second = start(() -> bursts(behind, 2), thrown);
    Blocking blocking = new Blocking(new RequestDoor("plain", 1, behind));
    for (int i = 0; i < 2_000; i++) {
      int value = i;
      assertEquals(
          Completion.done(value),
          blocking.<Integer>await(inner -> behind.complete(inner, Completion.done(value))));
    }
    first.join();
    second.join();
    behind.stop();
    owner.join();
    assertNull(thrown.get());
    assertEquals(0, behind.metrics().fifoDepth());
    Invariants.check(parking.dozes.get() > 100, "too few dozes to say anything", parking.dozes);
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private static Thread start(Work work, AtomicReference<Throwable> thrown) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                work.run();
              } catch (Throwable error) {
                thrown.compareAndSet(null, error);
              }
            });
  }

  private static void bursts(Dispatcher behind, int seed) throws InterruptedException {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    Cork cork = new Cork(behind);
    RequestDoor door = new RequestDoor("corked", 12, behind, cork);
    PassivePort<Integer> port = new PassivePort<>(behind, cork);
    int outstanding = 0;
    int asked = 0;
    int answered = 0;
    for (int round = 0; round < 10_000; round++) {
      for (int burst = random.nextInt(1, 16); burst > 0; burst--) {
        int value = asked++;
        outstanding++;
        door.<Integer>put(inner -> behind.complete(inner, Completion.done(value)), port);
      }
      for (int keep = random.nextInt(outstanding + 1); outstanding > keep; outstanding--) {
        assertEquals(Completion.done(answered++), port.take());
      }
      Completion<Integer> polled = random.nextBoolean() ? port.poll() : null;
      if (polled != null) {
        assertEquals(Completion.done(answered++), polled);
        outstanding--;
      }
    }
    for (; outstanding > 0; outstanding--) {
      assertEquals(Completion.done(answered++), port.take());
    }
    door.close();
    port.close();
  }

  @Test
  void aHolderThatNeverComesBackIsServedAllTheSame() throws InterruptedException {
    Dispatcher behind = new Dispatcher(new SystemClock(), new ParkingReactor(), config(50_000));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread owner = start(behind::run, thrown);
    Cork alone = new Cork(behind);
    RequestDoor oneWay = new RequestDoor("one way", 100, behind, alone);
    for (int round = 0; round < 500; round++) {
      CountDownLatch begun = new CountDownLatch(LIMIT - 1);
      for (int i = 0; i < LIMIT - 1; i++) {
        oneWay.<Integer>offer(
            inner -> {
              begun.countDown();
              behind.complete(inner, Completion.done(1));
            },
            completion -> {});
      }
      begun.await();
    }
    behind.stop();
    owner.join();
    assertNull(thrown.get());
  }
}
