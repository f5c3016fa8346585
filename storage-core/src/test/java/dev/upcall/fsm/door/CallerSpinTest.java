package dev.upcall.fsm.door;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.ManualClock;
import dev.upcall.base.SystemClock;
import dev.upcall.completion.Completion;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherConfig;
import dev.upcall.fsm.meter.LookCounts;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("races")
class CallerSpinTest {
  private static final long SPIN_NANOS = 20_000;
  private static final long LONG_NANOS = 20_000_000;

  private static DispatcherConfig config(long callerSpinNanos) {
    return DispatcherConfig.defaults()
        .withWaiting(new WaitConfig(1, 0, 0, SPIN_NANOS, callerSpinNanos));
  }

  /** The time that one look takes. */
  private static final long LOOK_NANOS = 100;

  private final ManualClock clock = new ManualClock();

  /** A dispatcher whose time passes only by looks. */
  private Dispatcher dispatcher(long callerSpinNanos) {
    return new Dispatcher(clock, new ParkingReactor(), config(callerSpinNanos));
  }

  /** How often a thread looks whose answer does not come. */
  private int looks(CallerSpin spin) {
    AtomicInteger looks = new AtomicInteger();
    spin.look(
        () -> {
          looks.incrementAndGet();
          clock.advance(LOOK_NANOS);
          return false;
        },
        clock.monotonicNanos());
    return looks.get();
  }

  @Test
  void itLooksForAWhileOnlyAndNotOnceAnswersTakeLonger() {
    Dispatcher dispatcher = dispatcher(SPIN_NANOS);
    CallerSpin spin = new CallerSpin(dispatcher);
    boolean several = dispatcher.sleep().processors().count() > 1;
    assertEquals(several, looks(spin) > 0);
    LookCounts inVain = dispatcher.metrics().callerLooks();
    assertEquals(several ? 1 : 0, inVain.looks());
    assertEquals(0, inVain.found());
    assertEquals(several, inVain.nanos() >= SPIN_NANOS / 4);
    spin.look(() -> true, clock.monotonicNanos());
    assertEquals(inVain.looks(), dispatcher.metrics().callerLooks().found());
    for (int i = 0; i < 10; i++) {
      spin.waited(2 * SPIN_NANOS);
    }
    assertEquals(0, looks(spin));
    for (int i = 0; i < 10; i++) {
      spin.waited(SPIN_NANOS / 4);
    }
    assertEquals(several, looks(spin) > 0);
    dispatcher.close();
  }

  @Test
  void whoLooksAloneLooksForTheLongestTimeAndNobodyBeside() {
    Dispatcher dispatcher = dispatcher(LONG_NANOS);
    CallerSpin spin = new CallerSpin(dispatcher);
    for (int i = 0; i < 100; i++) {
      spin.waited(LONG_NANOS / 2);
    }
    boolean several = dispatcher.sleep().processors().count() > 1;
    AtomicInteger besideLooks = new AtomicInteger();
    CallerSpin.Answer comesLate =
        () -> {
          besideLooks.addAndGet(looks(spin));
          clock.advance(LOOK_NANOS);
          return false;
        };
    long beganNanos = clock.monotonicNanos();
    spin.look(comesLate, beganNanos);
    assertEquals(several, clock.monotonicNanos() - beganNanos >= LONG_NANOS);
    assertEquals(0, besideLooks.get());
    dispatcher.close();
  }

  /** The answer comes, but so late that somebody else had the processor. */
  @Test
  void itParksForLongOnceOthersHadTheProcessor() {
    Dispatcher dispatcher = dispatcher(SPIN_NANOS);
    CallerSpin spin = new CallerSpin(dispatcher);
    for (int i = 0; i < 100; i++) {
      spin.waited(SPIN_NANOS / 2);
    }
    boolean several = dispatcher.sleep().processors().count() > 1;
    AtomicInteger asked = new AtomicInteger();
    spin.look(() -> asked.getAndIncrement() > 0, clock.monotonicNanos() - 100 * SPIN_NANOS);
    assertEquals(several, asked.get() > 0);
    for (int i = 0; i < 100; i++) {
      assertEquals(0, looks(spin));
    }
    dispatcher.close();
  }

  @Test
  void zeroSwitchesItOff() {
    Dispatcher dispatcher = dispatcher(0);
    CallerSpin spin = new CallerSpin(dispatcher);
    spin.waited(0);
    assertEquals(0, looks(spin));
    dispatcher.close();
  }

  /**
   * Answers that come sooner or later, so that callers find them, park for them, or are between.
   */
  @Test
  void everyCallerGetsItsAnswerHoweverItWaits() throws InterruptedException {
    Dispatcher dispatcher =
        new Dispatcher(new SystemClock(), new ParkingReactor(), config(SPIN_NANOS));
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread owner = Thread.ofPlatform().daemon().start(dispatcher::run);
    Blocking blocking = new Blocking(new RequestDoor("front", 10, dispatcher));
    Thread virtual = Thread.ofVirtual().start(() -> calls(dispatcher, blocking, 1, thrown));
    Thread platform = Thread.ofPlatform().start(() -> calls(dispatcher, blocking, 2, thrown));
    calls(dispatcher, blocking, 3, thrown);
    virtual.join();
    platform.join();
    dispatcher.stop();
    owner.join();
    assertNull(thrown.get());
    assertTrue(dispatcher.metrics().crossThread() >= 15_000);
  }

  private static void calls(
      Dispatcher dispatcher, Blocking blocking, int seed, AtomicReference<Throwable> thrown) {
    SplittableRandom random = new SplittableRandom(seed);
    try {
      for (int i = 0; i < 5_000; i++) {
        Completion<Integer> wanted = Completion.done(i);
        // Now, in a while that is about as long as one looks, or later.
        long delayNanos = random.nextInt(4) == 0 ? random.nextLong(3 * SPIN_NANOS) : 0;
        Completion<Integer> got =
            blocking.<Integer>await(
                port -> dispatcher.schedule(delayNanos, () -> dispatcher.complete(port, wanted)));
        assertEquals(wanted, got);
      }
    } catch (Throwable error) {
      thrown.compareAndSet(null, error);
    }
  }
}
