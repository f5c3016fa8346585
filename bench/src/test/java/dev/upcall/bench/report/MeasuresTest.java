package dev.upcall.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class MeasuresTest {
  @Test
  void intervalsAreStudents() {
    // Logarithms of the ratios: ln 1.1, ln 1.2, ln 1.3; t for two degrees of freedom is 4.303.
    Interval interval =
        Interval.ofThroughput(Made.point("a", 5, 110, 240, 390), Made.point("b", 5, 100, 200, 300));
    assertEquals(1.1972, interval.estimate(), 1e-4);
    assertEquals(0.9728, interval.low(), 1e-4);
    assertEquals(1.4734, interval.high(), 1e-4);
    assertEquals(3, interval.pairs());
    assertEquals("1.20 (0.97 to 1.47)", interval.toString());
  }

  @Test
  void overASideThatDidNothingThereIsNoRatio() {
    Interval interval =
        Interval.ofThroughput(Made.point("a", 5, 110, 240), Made.point("b", 5, 0, 200));
    assertEquals("-", interval.toString());
    assertEquals(Verdict.UNDECIDED, interval.atLeast(1));
  }

  @Test
  void verdictsNeedTheWholeInterval() {
    Interval interval = new Interval(1.2, 1.1, 1.3, 5);
    assertEquals(Verdict.HOLDS, interval.atLeast(1.1));
    assertEquals(Verdict.UNDECIDED, interval.atLeast(1.2));
    assertEquals(Verdict.FAILS, interval.atLeast(1.31));
    assertEquals(Verdict.HOLDS, interval.within(1, 1.4));
    assertEquals(Verdict.UNDECIDED, interval.within(1.2, 1.4));
    assertEquals(Verdict.FAILS, interval.within(0.8, 1));
    Interval one = Interval.ofThroughput(Made.point("a", 5, 110), Made.point("b", 5, 100));
    assertEquals(1.1, one.estimate(), 1e-9);
    assertEquals(Verdict.UNDECIDED, one.atLeast(1), "one sample has no interval");
    assertEquals(Verdict.UNDECIDED, one.within(0, 9));
    assertEquals("1.10", one.toString());
  }

  @Test
  void linesAreFitted() {
    record Spot(double x, double y) {}
    Fit exact = Fit.of(List.of(new Spot(1, 5), new Spot(2, 7), new Spot(4, 11)), Spot::x, Spot::y);
    assertEquals(2, exact.slope(), 1e-12);
    assertEquals(3, exact.intercept(), 1e-12);
    assertEquals(1, exact.r2(), 1e-12);
    Fit rough = Fit.of(List.of(new Spot(0, 0), new Spot(1, 1), new Spot(2, 0)), Spot::x, Spot::y);
    assertEquals(0, rough.slope(), 1e-12);
    assertEquals(0, rough.r2(), 1e-12);
    assertTrue(Double.isNaN(Fit.of(List.of(new Spot(1, 1)), Spot::x, Spot::y).slope()));
  }

  @Test
  void mediansNeedAllSamples() {
    Point point = Made.point("a", 10, 100, 300, 200);
    assertEquals(200, point.perSecond());
    assertEquals(50, point.meanMillis(), 1e-9);
    assertEquals(1, point.spread(), 1e-9);
    assertEquals(0, point.littleResidual(), 1e-9);
    assertEquals(0.5, point.more("context switches"));
    assertTrue(Double.isNaN(point.more("never counted")));
    assertTrue(Double.isNaN(new Point("a", 1, List.of()).perSecond()));
  }

  @Test
  void verdictsAreJoined() {
    assertEquals(Verdict.UNDECIDED, Verdict.all(List.of()));
    assertEquals(Verdict.HOLDS, Verdict.all(List.of(Verdict.HOLDS, Verdict.HOLDS)));
    assertEquals(Verdict.UNDECIDED, Verdict.all(List.of(Verdict.HOLDS, Verdict.UNDECIDED)));
    assertEquals(Verdict.FAILS, Verdict.all(List.of(Verdict.UNDECIDED, Verdict.FAILS)));
    Interval mean = Interval.ofValues(List.of(0.1, 0.2, 0.3));
    assertEquals(0.2, mean.estimate(), 1e-9);
    assertEquals(0.2 - 4.303 * 0.1 / Math.sqrt(3), mean.low(), 1e-4);
    assertEquals(Verdict.HOLDS, mean.below(0.5));
    assertEquals(Verdict.FAILS, mean.below(-0.1));
    assertEquals(Verdict.UNDECIDED, Interval.ofValues(List.of(0.1, Double.NaN)).below(1));
  }

  @Test
  void whatTheCompilerDisturbedDecidesNothing() {
    Claim claim = new Claim("X", "said", Verdict.HOLDS, "Found.");
    Point quiet = new Point("a", 5, List.of(Made.reading(5, 9).with(Reading.COMPILING, 0.02)));
    Point busy = new Point("b", 5, List.of(Made.reading(5, 9).with(Reading.COMPILING, 0.24)));
    assertEquals(claim, claim.from(List.of(quiet)));
    Claim doubted = claim.from(List.of(quiet, busy));
    assertEquals(Verdict.UNDECIDED, doubted.verdict());
    assertTrue(doubted.found().contains("still took 24 % of a core"), doubted.found());
    assertEquals(claim, claim.from(List.of(Made.point("c", 5, 9))), "nobody looked");
  }
}
