package dev.upcall.bench.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Made;
import dev.upcall.bench.report.Point;
import dev.upcall.bench.report.Reading;
import dev.upcall.bench.report.Sweep;
import dev.upcall.bench.report.Verdict;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class FileManagerClaimsTest {
  private static final List<Integer> LOADS = List.of(1, 5, 50, 100, 250, 1000);

  private static Sweep warm(IntToDoubleFunction own, IntToDoubleFunction threads) {
    return Made.sweep(
        "warm-1",
        List.of(
            Made.line(FileManagerClaims.OWN, LOADS, own),
            Made.line(FileManagerClaims.THREADS, LOADS, threads)));
  }

  private static Claim claim(Sweep sweep, int place) {
    return FileManagerClaims.of(List.of(sweep)).get(place);
  }

  @Test
  void flatAndFasterAndLinearHolds() {
    Sweep sweep = warm(_ -> 120_000, _ -> 100_000);
    List<Claim> claims = FileManagerClaims.of(List.of(sweep));
    assertEquals(Verdict.HOLDS, claims.get(0).verdict());
    assertEquals(Verdict.HOLDS, claims.get(1).verdict());
    assertTrue(claims.get(1).found().contains("1.20 (1.20 to 1.20)"), claims.get(1).found());
    assertEquals(Verdict.UNDECIDED, claims.get(2).verdict(), "virtual threads were not measured");
    assertEquals(Verdict.UNDECIDED, claims.get(3).verdict(), "nor was the shared thread");
    assertEquals(Verdict.HOLDS, claims.get(4).verdict());
    assertTrue(claims.get(4).found().startsWith("R² is 1.0000"), claims.get(4).found());
    assertEquals(Verdict.HOLDS, claims.get(5).verdict());
  }

  @Test
  void throughputThatFallsIsNotFlat() {
    Claim claim = claim(warm(load -> load == 250 ? 70_000 : 100_000, _ -> 90_000), 0);
    assertEquals(Verdict.FAILS, claim.verdict());
    assertTrue(claim.found().contains("0.70 (0.70 to 0.70) at 250 to 1.00"), claim.found());
  }

  @Test
  void whatLiesBeyondTheReportDoesNotCount() {
    Claim claim = claim(warm(load -> load == 1000 ? 1_000 : 100_000, _ -> 90_000), 0);
    assertEquals(Verdict.HOLDS, claim.verdict(), claim.found());
  }

  @Test
  void slowerOrOnlyLittleFasterFails() {
    assertEquals(Verdict.FAILS, claim(warm(_ -> 90_000, _ -> 100_000), 1).verdict());
    assertEquals(Verdict.FAILS, claim(warm(_ -> 105_000, _ -> 100_000), 1).verdict());
  }

  @Test
  void samplesThatLieFarApartDecideNothing() {
    Sweep sweep =
        new Sweep(
            "warm-1",
            "",
            Made.WORDS,
            List.of(
                Made.point(FileManagerClaims.OWN, 50, 100, 150, 120),
                Made.point(FileManagerClaims.THREADS, 50, 100, 100, 100)));
    Claim claim = claim(sweep, 1);
    assertEquals(Verdict.UNDECIDED, claim.verdict(), claim.found());
  }

  @Test
  void responseThatBendsIsNotLinear() {
    // Throughput falls with the load, so that response time grows with its square.
    Claim claim = claim(warm(load -> 1e6 / load, _ -> 1e5), 4);
    assertEquals(Verdict.FAILS, claim.verdict(), claim.found());
  }

  @Test
  void nothingMeasuredClaimsNothing() {
    assertTrue(
        FileManagerClaims.of(List.of()).stream()
            .allMatch(claim -> claim.verdict() == Verdict.UNDECIDED));
    assertTrue(FileManagerClaims.little(List.of()).contains("nothing was measured"));
  }

  @Test
  void theWorstResidualIsNamed() {
    Reading slow = new Reading(100, 1, 1, new Reading.Response(90_000, 1, 1), java.util.Map.of());
    Sweep sweep =
        new Sweep(
            "warm-1",
            "here",
            Made.WORDS,
            List.of(
                Made.point(FileManagerClaims.OWN, 5, 1000),
                new Point(FileManagerClaims.THREADS, 10, List.of(slow))));
    assertEquals(0.1, sweep.points().get(1).littleResidual(), 1e-9);
    String little = FileManagerClaims.little(List.of(sweep));
    assertTrue(little.contains("10 % (platform threads, 10 in flight, here)"), little);
    assertTrue(little.contains("too short"), little);
  }

  @Test
  void ratiosOfAllSweepsAreInTheTable() {
    Grid grid = FileManagerClaims.ratios(List.of(warm(_ -> 120_000, _ -> 100_000)));
    assertEquals(
        List.of("Title of warm-1", "1.20 (1.20 to 1.20)", "-", "-", "-"), grid.rows().getFirst());
  }
}
