package dev.upcall.bench.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Made;
import dev.upcall.bench.report.Point;
import dev.upcall.bench.report.Sweep;
import dev.upcall.bench.report.Verdict;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CarrierClaimsTest {
  private static Point point(int inFlight, double... most) {
    return new Point(
        FileManagerClaims.VIRTUAL,
        inFlight,
        Arrays.stream(most)
            .mapToObj(
                carriers ->
                    Made.reading(inFlight, 1000)
                        .with(CarrierClaims.MOST, carriers)
                        .with(CarrierClaims.MEAN, carriers / 2)
                        .with("carriers", 59)
                        .with("threads", 30))
            .toList());
  }

  private static List<Sweep> sweeps(double... most) {
    return List.of(
        Made.sweep("warm-1", List.of(List.of(point(50, 1, 1, 1), point(1000, 40, 40, 40)))),
        Made.sweep(
            "cold-1",
            List.of(
                List.of(point(5, 4, 4, 4), point(200, most), point(1000, 90, 90, 90)),
                Made.line(FileManagerClaims.THREADS, List.of(5, 200), _ -> 900))));
  }

  @Test
  void carriersAreAddedWhenEverySampleSaysSo() {
    Claim many = CarrierClaims.of(sweeps(30, 32, 34));
    assertEquals(Verdict.HOLDS, many.verdict());
    assertTrue(
        many.found().contains("with 200 in flight on one core, virtual threads hold 32.0 (27.0 to"),
        many.found());
    assertTrue(many.found().contains("of 59.0 that the scheduler keeps"), many.found());
    assertTrue(many.found().contains("warm, with 50, 1.00 and 0.50"), many.found());
    assertEquals(Verdict.UNDECIDED, CarrierClaims.of(sweeps(5, 40, 20)).verdict());
    assertEquals(Verdict.FAILS, CarrierClaims.of(sweeps(2, 2, 3)).verdict());
    assertEquals(Verdict.UNDECIDED, CarrierClaims.of(List.of()).verdict());
  }

  @Test
  void theTableHasBothKindsOfThreads() {
    Grid grid = CarrierClaims.grid(sweeps(30, 32, 34));
    assertEquals(5, grid.rows().size());
    grid.rows().forEach(row -> assertEquals(grid.columns().size(), row.size()));
    List<String> row = grid.rows().get(3);
    assertEquals(List.of("200", "16.0", "32.0", "59.0", "30.0"), row.subList(1, 6));
    assertEquals("0.50", row.get(8), "switches of platform threads");
  }
}
