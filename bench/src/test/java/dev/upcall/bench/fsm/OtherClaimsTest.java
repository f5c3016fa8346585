package dev.upcall.bench.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Made;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.report.Sweep;
import dev.upcall.bench.report.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class OtherClaimsTest {
  private static Claim disk(double ring, double pool) {
    Sweep sweep =
        Made.sweep(
            "disk-1",
            List.of(
                Made.line(DiskClaims.RING, List.of(5, 50), _ -> ring),
                Made.line(DiskClaims.POOL, List.of(5, 50), _ -> pool)));
    return DiskClaims.of(List.of(sweep)).getFirst();
  }

  @Test
  void theRingIsFasterOrNot() {
    assertEquals(Verdict.HOLDS, disk(2000, 1000).verdict());
    assertTrue(disk(2000, 1000).found().contains("At 50 in flight the ring reaches 2.00"));
    assertEquals(Verdict.FAILS, disk(900, 1000).verdict());
    Sweep nothing = Made.sweep("disk-1", List.of());
    assertEquals(Verdict.UNDECIDED, DiskClaims.of(List.of(nothing)).getFirst().verdict());
  }

  private static CodeSize lines(int fsm, int threads) {
    return new CodeSize(
        List.of(
            new CodeSize.Part("log", CodeSize.FSM, fsm - 1),
            new CodeSize.Part("disk", CodeSize.FSM, 1),
            new CodeSize.Part("log", CodeSize.THREADS, threads)),
        7000);
  }

  @Test
  void codeIsLongerOrNot() {
    Claim longer = CodeSizeStudy.claim(lines(5000, 2000));
    assertEquals(Verdict.HOLDS, longer.verdict());
    assertEquals(
        "The request path takes 5,000 lines as state machines and 2,000 as threads, 2.50 times as"
            + " many (the report: 2.50), beside 7,000 lines that are shared or that one side has"
            + " alone.",
        longer.found());
    assertEquals(Verdict.FAILS, CodeSizeStudy.claim(lines(1000, 2000)).verdict());
  }

  @Test
  void codeIsCountedByDuty() {
    Section section = CodeSizeStudy.section(lines(5000, 2000));
    assertEquals(
        List.of("log", "4,999", "2,000", "2.50"), section.grids().getFirst().rows().getFirst());
    assertEquals(List.of("disk", "1", "0", "-"), section.grids().getFirst().rows().get(1));
  }
}
