package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.base.ManualClock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Unit;
import dev.upcall.config.WaitConfig;
import dev.upcall.fsm.meter.DispatcherMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class DispatcherTest {
  private static final DispatcherConfig SMALL =
      new DispatcherConfig("small", 3, 4, 10, 2, 100, 20, 1000, 4, WaitConfig.defaults());

  private final ManualClock clock = new ManualClock();
  private final ManualReactor reactor = new ManualReactor(clock);
  private final Dispatcher dispatcher = new Dispatcher(clock, reactor, SMALL);
  private final List<String> seen = new ArrayList<>();

  private Runnable say(String word) {
    return () -> seen.add(word);
  }

  @Test
  void takesInThenRunsThenTimersThenSubmitsThenWaits() {
    dispatcher.schedule(0, say("timer"));
    reactor.arrived.add(say("reaped"));
    dispatcher.post(say("posted"));
    dispatcher.execute(say("cross"));
    reactor.calls.clear();
    assertEquals(4, dispatcher.turn(true));
    assertEquals(List.of("posted", "cross", "reaped", "timer"), seen);
    assertEquals(List.of("reap", "submit"), reactor.calls, "a turn that ran something never waits");
    assertEquals(0, dispatcher.turn(true));
    assertEquals(List.of("reap", "submit", "reap", "submit", "await"), reactor.calls);
    assertEquals(Long.MAX_VALUE, reactor.lastTimeoutNanos);
  }

  @Test
  void waitsNoLongerThanTheNextTimer() {
    dispatcher.schedule(700, say("late"));
    dispatcher.schedule(300, say("early"));
    dispatcher.turn(true);
    assertEquals(300, reactor.lastTimeoutNanos);
    dispatcher.turn(false);
    assertEquals(List.of("early"), seen);
  }

  @Test
  void aTurnWithoutLeaveToWaitDoesNot() {
    dispatcher.turn(false);
    assertFalse(reactor.calls.contains("await"));
  }

  @Test
  void everyStepIsBounded() {
    for (int i = 0; i < 30; i++) {
      dispatcher.execute(say("cross"));
      reactor.arrived.add(say("reaped"));
    }
    assertEquals(7, dispatcher.turn(false), "three from other threads and four reaped");
    seen.clear();
    for (int i = 0; i < 5; i++) {
      dispatcher.schedule(0, say("timer"));
      for (int k = 0; k < 4; k++) {
        dispatcher.post(say("posted"));
      }
    }
    assertEquals(12, dispatcher.turn(false), "ten upcalls and two timers");
    assertEquals(2, seen.stream().filter("timer"::equals).count());
  }

  @Test
  void aTurnEndsEarlyWhenADeviceWouldStandStill() {
    dispatcher.post(say("first"));
    dispatcher.post(
        () -> {
          seen.add("asks for I/O");
          reactor.submissionDue = true;
        });
    dispatcher.post(say("later"));
    dispatcher.turn(true);
    assertEquals(List.of("first", "asks for I/O"), seen);
    assertEquals("submit", reactor.calls.getLast(), "handed over, not waited");
    dispatcher.turn(true);
    assertEquals(List.of("first", "asks for I/O", "later"), seen, "always one at least");
  }

  /** A chain that feeds itself, as write-back does, goes on until the limit of upcalls else. */
  @Test
  void whoWaitsForADurableWriteDoesNotWaitForAllUpcalls() {
    long eachNanos = TurnMeter.COMMIT_TURN_NANOS / 4;
    Runnable[] link = new Runnable[1];
    link[0] =
        () -> {
          clock.advance(eachNanos);
          dispatcher.post(link[0]);
        };
    dispatcher.post(link[0]);
    assertEquals(10, dispatcher.turn(false), "nobody waits: as many as a turn may run");
    reactor.durableWriteInFlight = true;
    reactor.arrived.add(say("durable"));
    assertEquals(6, dispatcher.turn(false), "this and five links, of which the last is too long");
    assertEquals(List.of("durable"), seen);
    reactor.arrived.add(say("the next"));
    assertEquals(6, dispatcher.turn(false));
    assertEquals(List.of("durable", "the next"), seen);
  }

  /** A piece in each turn is how the background works; there may be many such workers. */
  @Test
  void piecesOfBackgroundWorkEndWhenADurableWriteIsInFlight() {
    ManualReactor ring = new ManualReactor(clock);
    Dispatcher busy = new Dispatcher(clock, ring, DispatcherConfig.defaults());
    int[] pieces = {0};
    for (int worker = 0; worker < 8; worker++) {
      Runnable[] piece = new Runnable[1];
      piece[0] =
          () -> {
            pieces[0]++;
            clock.advance(TurnMeter.COMMIT_TURN_NANOS / 2);
            busy.schedule(0, piece[0]);
          };
      busy.schedule(0, piece[0]);
    }
    busy.turn(false);
    assertEquals(8, pieces[0], "nobody waits: one of each worker");
    ring.durableWriteInFlight = true;
    busy.turn(false);
    assertEquals(8 + 3, pieces[0], "the third makes the turn long");
    busy.post(() -> clock.advance(2 * TurnMeter.COMMIT_TURN_NANOS));
    busy.turn(false);
    assertEquals(8 + 3 + 1, pieces[0], "one all the same, or a busy store would make no progress");
  }

  @Test
  void aDurableWriteIsHandedOverBeforeBackgroundWork() {
    int[] pieces = {0};
    Runnable[] piece = new Runnable[1];
    piece[0] =
        () -> {
          pieces[0]++;
          dispatcher.schedule(0, piece[0]);
        };
    dispatcher.schedule(0, piece[0]);
    reactor.durableWriteQueued = true;
    List<Integer> after = new ArrayList<>();
    for (int turn = 0; turn < 6; turn++) {
      dispatcher.post(() -> {});
      dispatcher.turn(false);
      after.add(pieces[0]);
    }
    assertEquals(List.of(0, 1, 1, 2, 2, 3), after, "a commit in each turn does not stop it");
    reactor.durableWriteQueued = false;
    dispatcher.turn(false);
    dispatcher.turn(false);
    assertEquals(5, pieces[0]);
  }

  @Test
  void aChainThatFeedsItselfStarvesNobody() {
    int[] links = {0};
    Runnable[] link = new Runnable[1];
    link[0] =
        () -> {
          links[0]++;
          dispatcher.post(link[0]);
        };
    dispatcher.post(link[0]);
    dispatcher.schedule(0, say("timer"));
    dispatcher.turn(true);
    assertEquals(10, links[0]);
    assertEquals(List.of("timer"), seen);
    assertFalse(reactor.calls.contains("await"));
  }

  @Test
  void aCompletionNeverArrivesInsideTheCall() {
    boolean[] inside = {false};
    dispatcher.post(
        () -> {
          inside[0] = true;
          dispatcher.complete(
              completion -> {
                assertFalse(inside[0]);
                seen.add(completion.toString());
              },
              Completion.done("x"));
          inside[0] = false;
        });
    dispatcher.turn(false);
    assertEquals(List.of(Completion.done("x").toString()), seen);
  }

  @Test
  void aTimerArmedByATimerRunsInALaterTurn() {
    dispatcher.schedule(0, () -> dispatcher.schedule(0, say("second")));
    assertEquals(1, dispatcher.turn(false));
    assertEquals(1, dispatcher.turn(false));
    assertEquals(List.of("second"), seen);
  }

  @Test
  void aTimerTakenBackDoesNotRun() {
    Dispatcher.Timer kept = dispatcher.schedule(5, say("kept"));
    Dispatcher.Timer taken = dispatcher.schedule(3, say("taken"));
    taken.cancel();
    taken.cancel();
    assertFalse(taken.isPending());
    assertTrue(kept.isPending());
    clock.advance(5);
    assertEquals(1, dispatcher.turn(false));
    kept.cancel();
    assertEquals(List.of("kept"), seen);
  }

  @Test
  void aVeryLateTimerDoesNotOverflow() {
    clock.advance(1000);
    dispatcher.schedule(Long.MAX_VALUE, say("never"));
    assertEquals(0, dispatcher.turn(true));
    assertEquals(List.of(), seen);
    assertThrows(IllegalArgumentException.class, () -> dispatcher.schedule(-1, say("past")));
  }

  @Test
  void anExceptionInAnUpcallStopsItWithItsState() {
    IllegalArgumentException mistake = new IllegalArgumentException("mine");
    Gate gate = new Gate("thing", dispatcher);
    gate.close(completion -> {});
    dispatcher.turn(false);
    dispatcher.post(
        () -> {
          throw mistake;
        });
    dispatcher.post(say("never runs"));
    assertSame(mistake, assertThrows(IllegalArgumentException.class, () -> dispatcher.turn(false)));
    DispatcherFailure failure = dispatcher.failure().orElseThrow();
    assertNotNull(failure);
    assertSame(mistake, failure.error());
    assertEquals(DispatcherTest.class.getName() + " (lambda)", failure.culprit());
    assertEquals(1, failure.waitingUpcalls().size());
    assertTrue(failure.lastRecords().getFirst().endsWith("OPEN -> CLOSED (close while empty)"));
    assertTrue(failure.report().contains("Gate#0 OPEN -> CLOSED"), failure.report());
    assertTrue(dispatcher.hasEnded());
    assertThrows(RejectedExecutionException.class, () -> dispatcher.execute(say("late")));
    assertSame(
        mistake,
        assertThrows(IllegalStateException.class, () -> dispatcher.turn(false)).getCause());
    assertEquals(List.of(), seen);
  }

  @Test
  void anErrorInATimerOrTheReactorStopsItToo() {
    dispatcher.schedule(
        0,
        () -> {
          throw new StackOverflowError();
        });
    assertThrows(StackOverflowError.class, () -> dispatcher.turn(false));
    assertTrue(dispatcher.failure().isPresent());
  }

  @Test
  void runFinishesWhatWasAcceptedBeforeTheStop() {
    dispatcher.post(
        () -> {
          dispatcher.stop();
          dispatcher.execute(() -> dispatcher.post(say("accepted")));
        });
    dispatcher.run();
    assertEquals(List.of("accepted"), seen);
    assertTrue(dispatcher.failure().isEmpty());
    assertTrue(dispatcher.hasEnded());
    assertThrows(RejectedExecutionException.class, () -> dispatcher.execute(say("late")));
    dispatcher.close();
    dispatcher.close();
    assertEquals(1, reactor.calls.stream().filter("close"::equals).count());
    assertThrows(RejectedExecutionException.class, () -> dispatcher.post(say("late")));
  }

  @Test
  void aStopWhoseWakeUpWasReapedIsNotSleptThrough() {
    reactor.whileReaping = dispatcher::stop;
    dispatcher.run();
    assertFalse(reactor.calls.contains("await"));
    assertTrue(dispatcher.hasEnded());
  }

  @Test
  void finishingIsBounded() {
    Runnable[] link = new Runnable[1];
    int[] links = {0};
    link[0] =
        () -> {
          links[0]++;
          dispatcher.post(link[0]);
        };
    dispatcher.post(link[0]);
    dispatcher.close();
    assertEquals(1 + SMALL.finishLimit(), links[0]);
  }

  @Test
  void tooManyWaitingUpcallsAreAProgrammersError() {
    for (int i = 0; i < SMALL.fifoLimit(); i++) {
      dispatcher.post(say("x"));
    }
    assertThrows(Invariants.Violation.class, () -> dispatcher.post(say("one too many")));
  }

  @Test
  void otherThreadsMayNotTouchIt() throws InterruptedException {
    dispatcher.adopt();
    List<Throwable> thrown = new ArrayList<>();
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (Runnable touch :
                      List.<Runnable>of(
                          () -> dispatcher.post(say("x")),
                          () -> dispatcher.schedule(1, say("x")),
                          () -> dispatcher.turn(false),
                          dispatcher::checkOwner,
                          dispatcher::metrics,
                          dispatcher::close)) {
                    try {
                      touch.run();
                    } catch (Invariants.Violation violation) {
                      thrown.add(violation);
                    }
                  }
                });
    other.join();
    assertEquals(6, thrown.size());
  }

  @Test
  void stallsAreCountedAndNamed() {
    dispatcher.post(() -> clock.advance(1001));
    dispatcher.post(() -> clock.advance(1000));
    dispatcher.schedule(0, () -> clock.advance(5000));
    dispatcher.turn(false);
    DispatcherMetrics metrics = dispatcher.metrics();
    assertEquals(
        List.of(
            new DispatcherMetrics.Culprit(DispatcherTest.class.getName() + " (lambda)", 2, 6001)),
        metrics.culprits());
    assertEquals(7001, metrics.turnNanosSpread().max());
    assertEquals(3, metrics.batches().sum());
    assertEquals(7001, metrics.busyNanos());
    assertEquals(5000, metrics.upcallNanosMax());
    assertEquals(2, metrics.upcalls());
    assertEquals(1, metrics.timers());
    assertEquals(3, metrics.batches().max());
    assertEquals(2, metrics.fifoDepthMax());
  }

  @Test
  void aStallOfOneThatWorksForAnotherIsNamedWithBoth() {
    final class Run implements Runnable, OnBehalf {
      @Override
      public void run() {
        clock.advance(2000);
      }

      @Override
      public Object whose() {
        return "the reclaiming";
      }
    }

    CompletionPort<Unit> waits = completion -> clock.advance(3000);
    dispatcher.post(new Run());
    dispatcher.complete(OnBehalf.port(new Run(), waits), Completion.done());
    dispatcher.turn(false);
    String own = DispatcherTest.class.getName();
    assertEquals(
        List.of(
            new DispatcherMetrics.Culprit(own + "$1Run for the reclaiming", 1, 2000),
            new DispatcherMetrics.Culprit(
                own + " (lambda) for " + own + "$1Run for the reclaiming", 1, 3000)),
        dispatcher.metrics().culprits());
  }

  @Test
  void turnsThatRanNothingAreNotTimed() {
    dispatcher.turn(false);
    dispatcher.post(() -> clock.advance(10));
    dispatcher.turn(false);
    dispatcher.turn(false);
    DispatcherMetrics metrics = dispatcher.metrics();
    assertEquals(3, metrics.turns());
    assertEquals(1, metrics.turnNanosSpread().count());
    assertEquals(1, metrics.batches().count());
  }

  @Test
  void aDrainTellsWhatItFoundAndWhatItLeft() {
    for (int i = 0; i < 13; i++) {
      dispatcher.post(say("x"));
    }
    dispatcher.execute(say("cross"));
    dispatcher.turn(false);
    DispatcherMetrics metrics = dispatcher.metrics();
    assertEquals(14, metrics.queueBefore().sum());
    assertEquals(SMALL.upcallLimit(), metrics.batches().sum());
    assertEquals(4, metrics.queueAfter().sum());
    dispatcher.turn(false);
    assertEquals(18, dispatcher.metrics().queueBefore().sum());
    assertEquals(4, dispatcher.metrics().queueAfter().sum());
    assertEquals(2, dispatcher.metrics().queueAfter().count());
  }

  @Test
  void timeSpentAsleepIsNobodysTime() {
    dispatcher.schedule(1_000_000, say("timer"));
    dispatcher.turn(true);
    dispatcher.turn(true);
    assertEquals(0, dispatcher.metrics().busyNanos());
    assertEquals(List.of(), dispatcher.metrics().culprits());
    assertEquals(1, dispatcher.metrics().waits());
  }

  @Test
  void onlyASleepingOwnerIsWoken() {
    dispatcher.execute(say("a"));
    dispatcher.execute(say("b"));
    assertEquals(0, reactor.wakeups);
  }
}
