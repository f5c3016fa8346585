package dev.upcall.bench.ecommerce.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Verdicts from figures, and what the paper printed. */
class JudgementTest {
  private static Claim judged(StudySize size, Double... figures) {
    return new Judgement(size.decides())
        .within("part", List.of(figures), 0.4, 0.6)
        .claim("ID", "said", "why");
  }

  @Test
  void everySeedMustBeInTheBand() {
    assertEquals(Verdict.HOLDS, judged(StudySize.STANDARD, 0.4, 0.5, 0.6).verdict());
    assertEquals(Verdict.UNDECIDED, judged(StudySize.STANDARD, 0.39, 0.5, 0.6).verdict());
    assertEquals(Verdict.FAILS, judged(StudySize.STANDARD, 0.1, 0.2, 0.5).verdict());
    assertEquals(Verdict.UNDECIDED, judged(StudySize.QUICK, 0.5).verdict());
    assertTrue(judged(StudySize.STANDARD, 0.1).found().endsWith("why"));
    assertTrue(judged(StudySize.STANDARD, Double.NaN).verdict() == Verdict.FAILS);
  }

  @Test
  void fourPrintedRowsContradictThemselves() {
    List<Printed> bad = Printed.ROWS.stream().filter(Printed::isContradictory).toList();
    assertEquals(4, bad.size(), bad::toString);
    assertTrue(bad.stream().allMatch(row -> row.table() == 8 || row.table() == 10));
    assertTrue(bad.stream().noneMatch(row -> row.kind() == Workload.Kind.TPC_C));
    assertEquals(12, Printed.ROWS.size());
  }

  @Test
  void bandsHoldWhatIsPrinted() {
    for (Printed row : Printed.ROWS) {
      Band band = Band.of(row);
      assertTrue(row.readShare() >= band.leastShare() && row.readShare() <= band.mostShare());
      double sequential = row.sequential().read();
      assertTrue(sequential >= band.leastSequential() && sequential <= band.mostSequential());
      double stream = row.stream().read();
      assertTrue(stream >= band.leastStream() && stream <= band.mostStream(), row::toString);
    }
  }
}
