package dev.upcall.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.base.Invariants;
import dev.upcall.base.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GateTest {
  private static final TransitionCoverage COVERAGE = new TransitionCoverage();

  private final ManualClock clock = new ManualClock();
  private final Dispatcher dispatcher = new Dispatcher(clock, new ManualReactor(clock));
  private final Gate gate = new Gate("the pool", dispatcher);
  private final List<String> heard = new ArrayList<>();

  @AfterEach
  void count() {
    COVERAGE.add(dispatcher.recorder());
  }

  @AfterAll
  static void everyTransitionWasTaken() {
    COVERAGE.assertAllTaken(Gate.TRANSITIONS);
  }

  @Test
  void closesAtOnceWhenEmptyButNotInsideTheCall() {
    gate.close(completion -> heard.add("first"));
    assertEquals(Gate.State.CLOSED, gate.state());
    assertEquals(List.of(), heard);
    dispatcher.turn(false);
    gate.close(completion -> heard.add("again"));
    dispatcher.turn(false);
    assertEquals(List.of("first", "again"), heard);
  }

  @Test
  void drainsBeforeItCloses() {
    assertTrue(gate.enter());
    assertTrue(gate.enter());
    assertTrue(gate.enter());
    gate.close(completion -> heard.add("one"));
    gate.close(completion -> heard.add("two"));
    assertFalse(gate.enter());
    gate.leave();
    gate.leave();
    dispatcher.turn(false);
    assertEquals(List.of(), heard);
    assertEquals(1, gate.inside());
    gate.leave();
    dispatcher.turn(false);
    assertEquals(List.of("one", "two"), heard);
    assertEquals("the pool is closed", gate.closed().message());
  }

  @Test
  void leavingWithoutHavingEnteredIsAnError() {
    gate.enter();
    gate.leave();
    assertThrows(Invariants.Violation.class, gate::leave);
  }
}
