package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.ManualClock;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.meter.LookCounts;
import dev.upcall.fsm.wakeup.Inbox;
import org.junit.jupiter.api.Test;

/** When a dispatcher stays awake for callers, and when it does not. */
class CallerWatchTest {
  private static final long SPIN_NANOS = 1000;

  private final ManualClock clock = new ManualClock();
  private final ManualReactor reactor = new ManualReactor(clock);
  private final DispatcherConfig config =
      DispatcherConfig.defaults().withWaiting(new WaitConfig(1, 0, 0, SPIN_NANOS, 0));
  private final TurnMeter meter = new TurnMeter(config, clock);
  private final Inbox<Runnable> inbox = new Inbox<>();
  private int processors = 2;
  private final CallerWatch watch = new CallerWatch(config.waiting(), () -> processors);

  private static long spunNanos(TurnMeter meter) {
    return meter.snapshot(0, LookCounts.NONE, LookCounts.NONE).spunNanos();
  }

  private boolean watchAfter(long nanos) {
    clock.advance(nanos);
    meter.readClock(clock);
    return watch.watch(inbox, meter);
  }

  /** A caller is answered, and calls again after a time; returns whether it was watched for. */
  private boolean callAfter(long nanos) {
    watch.served();
    boolean watched = watchAfter(0);
    watchAfter(nanos);
    watch.called(clock.monotonicNanos(), meter);
    return watched;
  }

  @Test
  void anAnswerIsFollowedByAWatchThatEnds() {
    watch.served();
    assertTrue(watchAfter(0));
    assertTrue(watchAfter(SPIN_NANOS - 1));
    assertFalse(watchAfter(1), "then it sleeps");
    assertFalse(watchAfter(1), "and does not begin again by itself");
    assertEquals(SPIN_NANOS, spunNanos(meter));
  }

  @Test
  void whoWasNotCalledByOneWhoWaitsSleepsAtOnce() {
    assertFalse(watchAfter(0));
    assertFalse(watchAfter(1));
    assertEquals(0, spunNanos(meter));
  }

  @Test
  void onOneProcessorItSleepsAtOnce() {
    processors = 1;
    watch.served();
    assertFalse(watchAfter(0));
  }

  @Test
  void aCallEndsTheWatch() {
    assertTrue(callAfter(400));
    assertEquals(400, spunNanos(meter));
    assertFalse(watchAfter(0), "until it is answered");
  }

  @Test
  void itIsGivenUpWhileCallersComeLateAndTakenUpAgainWithoutCost() {
    int watches = 0;
    while (callAfter(SPIN_NANOS + 1)) {
      watches++;
      assertTrue(watches < 10, "given up after a few");
    }
    long spent = spunNanos(meter);
    for (int i = 0; i < 100; i++) {
      assertFalse(callAfter(SPIN_NANOS + 1));
    }
    int tries = 0;
    while (!callAfter(SPIN_NANOS)) {
      tries++;
      assertEquals(spent, spunNanos(meter), "what would have paid is seen asleep");
      assertTrue(tries < 20, "taken up again after a few");
    }
  }

  @Test
  void aClockThatStandsStillDoesNotKeepItAwake() {
    watch.served();
    int turns = 0;
    while (watchAfter(0)) {
      turns++;
      assertTrue(turns < 10_000, "it ends");
    }
  }

  @Test
  void aWatchingDispatcherTurnsAndThenSleeps() {
    try (Dispatcher dispatcher = new Dispatcher(clock, reactor, config)) {
      dispatcher.execute(() -> {});
      dispatcher.turn(true);
      dispatcher.turn(true);
      assertTrue(reactor.calls.contains("await"), "requests of others are no reason to watch");
      reactor.calls.clear();
      dispatcher.sleep().callerServed();
      if (dispatcher.sleep().processors().count() > 1) {
        dispatcher.turn(true);
        assertFalse(reactor.calls.contains("await"));
        assertTrue(reactor.calls.contains("reap"), "the reactor is looked at meanwhile");
      }
      clock.advance(SPIN_NANOS);
      dispatcher.turn(true);
      assertTrue(reactor.calls.contains("await"));
    }
  }
}
