package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.base.ManualClock;
import dev.upcall.config.WaitConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateMachineTest {
  private enum Step {
    BORN,
    AT_WORK,
    DONE
  }

  private static final Transitions<Step> TRANSITIONS =
      Transitions.of("Worker", Step.class, Step.BORN)
          .on("start", Step.BORN, Step.AT_WORK)
          .on("again", Step.AT_WORK, Step.AT_WORK)
          .on("finish", Step.AT_WORK, Step.DONE)
          .on("give up", Step.AT_WORK, Step.DONE)
          .build();

  private static final class Worker extends StateMachine<Step> {
    Worker(Dispatcher dispatcher) {
      super(TRANSITIONS, dispatcher);
    }

    void go(Step next) {
      become(next);
    }
  }

  private final ManualClock clock = new ManualClock();
  private final Dispatcher dispatcher =
      new Dispatcher(
          clock,
          new ManualReactor(clock),
          new DispatcherConfig("d", 10, 10, 10, 10, 100, 10, 1000, 8, WaitConfig.defaults()));

  private void upcallAfter(long nanos, Runnable upcall) {
    clock.advance(nanos);
    dispatcher.post(upcall);
    dispatcher.turn(false);
  }

  /** What the recorder has, turns left out. */
  private List<String> moves() {
    return dispatcher.recorder().lastLines().stream().filter(line -> line.contains("#")).toList();
  }

  @Test
  void movesAreCountedTimedAndRecorded() {
    Worker first = new Worker(dispatcher);
    Worker second = new Worker(dispatcher);
    upcallAfter(10, () -> first.go(Step.AT_WORK));
    upcallAfter(5, () -> second.go(Step.AT_WORK));
    upcallAfter(7, () -> first.go(Step.AT_WORK));
    upcallAfter(1, () -> first.go(Step.DONE));
    MachineStats stats = dispatcher.recorder().statsOf(TRANSITIONS);
    assertEquals(2, stats.machines());
    assertEquals(2, stats.taken(Step.BORN, Step.AT_WORK));
    assertEquals(1, stats.taken(Step.AT_WORK, Step.AT_WORK));
    assertEquals(25, stats.nanosIn(Step.BORN));
    assertEquals(13, stats.nanosIn(Step.AT_WORK));
    assertEquals(
        List.of(
            new MachineStats.Taken("BORN", "AT_WORK", 2),
            new MachineStats.Taken("AT_WORK", "AT_WORK", 1),
            new MachineStats.Taken("AT_WORK", "DONE", 1)),
        stats.taken());
    assertEquals(
        List.of(
            "10 Worker#0 BORN -> AT_WORK (start)",
            "15 Worker#1 BORN -> AT_WORK (start)",
            "22 Worker#0 AT_WORK -> AT_WORK (again)",
            "23 Worker#0 AT_WORK -> DONE (finish or give up)"),
        moves());
  }

  @Test
  void theRecorderKeepsTheLast() {
    Worker worker = new Worker(dispatcher);
    worker.go(Step.AT_WORK);
    for (int i = 0; i < 9; i++) {
      upcallAfter(1, () -> worker.go(Step.AT_WORK));
    }
    assertEquals(
        List.of(
            "6 Worker#0 AT_WORK -> AT_WORK (again)",
            "7 Worker#0 AT_WORK -> AT_WORK (again)",
            "8 Worker#0 AT_WORK -> AT_WORK (again)",
            "9 Worker#0 AT_WORK -> AT_WORK (again)"),
        moves());
  }

  @Test
  void anUndeclaredMoveIsAnErrorWithNames() {
    Worker worker = new Worker(dispatcher);
    Invariants.Violation violation =
        assertThrows(Invariants.Violation.class, () -> worker.go(Step.DONE));
    assertEquals("Worker#0 may not go BORN -> DONE", violation.getMessage());
    assertEquals(Step.BORN, worker.state());
  }

  @Test
  void anotherThreadMayNotMoveIt() throws InterruptedException {
    dispatcher.adopt();
    Worker worker = new Worker(dispatcher);
    boolean[] refused = {false};
    Thread.ofPlatform()
        .start(
            () -> {
              try {
                worker.go(Step.AT_WORK);
              } catch (Invariants.Violation violation) {
                refused[0] = true;
              }
            })
        .join();
    assertTrue(refused[0]);
  }

  @Test
  void coverageNamesWhatWasNotTaken() {
    TransitionCoverage coverage = new TransitionCoverage();
    new Worker(dispatcher).go(Step.AT_WORK);
    coverage.add(dispatcher.recorder());
    assertEquals(
        List.of(
            "Worker: AT_WORK -> AT_WORK (again)",
            "Worker: AT_WORK -> DONE (finish)",
            "Worker: AT_WORK -> DONE (give up)"),
        coverage.missing(TRANSITIONS));
    assertThrows(AssertionError.class, () -> coverage.assertAllTaken(TRANSITIONS));
  }
}
