package dev.upcall.bench.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AimTest {
  private static final Figure.Kind RATE = Figure.Kind.PER_SECOND;
  private static final Figure.Kind P99 = Figure.Kind.P99_MICROS;

  /** A row with so many units a second in each round, and a 99th percentile ten times as large. */
  private static Outcome.Row row(String name, Role role, double... rates) {
    List<Sample> samples = new ArrayList<>();
    for (double rate : rates) {
      samples.add(new Sample(rate, 1, 1, Latencies.of(1, rate * 10)));
    }
    return new Outcome.Row(new Entrant(name, role, _ -> null), Outcome.Fate.MEASURED, samples, "");
  }

  private static Aim.Result look(Aim aim) {
    Comparison comparison =
        new Comparison("test", "a title", Figure.perSecond("reads").aimingAt(aim), List.of());
    Outcome outcome =
        new Outcome(
            comparison,
            List.of(
                row("one", Role.OURS, 100, 150, 200),
                row("two", Role.OURS, 300, 300, 300),
                row("first peer", Role.PEER, 100, 100, 200),
                row("second peer", Role.PEER, 50, 50, 50)));
    return outcome.aims().getFirst();
  }

  @Test
  void aRatioIsThatOfMedians() {
    Aim.Result held = look(Aim.ratio(RATE, 1.5));
    assertEquals(1.5, held.reached());
    assertTrue(held.held());
    assertEquals("held", held.verdict());
    assertEquals(
        "reads/s of one: at least 1.50 times first peer, is 1.50 (150 beside 100)", held.words());
    Aim.Result missed = look(Aim.ratio(RATE, 1.51));
    assertFalse(missed.held());
    assertEquals("MISSED", missed.verdict());
  }

  @Test
  void whereLessIsBetterItIsTheMost() {
    assertTrue(look(Aim.ratio(P99, 1.5)).held());
    assertFalse(look(Aim.ratio(P99, 1.4)).held());
    assertEquals("p99 us of one: at most 1,400, is 1,500", look(Aim.number(P99, 1400)).words());
    assertFalse(look(Aim.number(P99, 1400)).held());
    assertTrue(look(Aim.number(P99, 1500)).held());
  }

  @Test
  void rowsHaveNames() {
    assertEquals(3, look(Aim.ratio(RATE, 1).beside("second peer")).reached());
    assertEquals(3, look(Aim.ratio(RATE, 1).of("two")).reached());
    assertEquals(2, look(Aim.ratio(RATE, 1).of("two").beside("one")).reached());
  }

  @Test
  void theBestOfOursIsByTheNumberAskedFor() {
    assertEquals(3, look(Aim.ratio(RATE, 1).ofBest()).reached());
    assertEquals(1.5, look(Aim.ratio(P99, 1).ofBest()).reached());
  }

  @Test
  void inEachRoundTheWorstCounts() {
    assertEquals(1, look(Aim.ratio(RATE, 1).inEachRound()).reached());
    assertEquals(1.5, look(Aim.ratio(P99, 1).inEachRound()).reached());
    assertTrue(look(Aim.ratio(RATE, 1).inEachRound()).words().contains("in each round"));
  }

  @Test
  void whatWasNotMeasuredIsNotKnown() {
    Aim.Result nobody = look(Aim.ratio(RATE, 1).beside("nobody"));
    assertTrue(Double.isNaN(nobody.reached()));
    assertFalse(nobody.held());
    assertEquals("not known", nobody.verdict());
    assertTrue(nobody.words().contains("times nobody, is -"), nobody::words);
    assertEquals("not known", look(Aim.ratio(Figure.Kind.P999_MICROS, 1)).verdict());
  }
}
