package dev.upcall.bench.fsm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.report.Verdict;
import dev.upcall.bench.stages.StagePlan;
import dev.upcall.bench.stages.StageRows;
import dev.upcall.bench.stages.StageSide;
import dev.upcall.bench.stages.StageTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StageClaimsTest {
  private static StageTable table(StageTable.Row... rows) {
    List<StageTable.Row> samples = new ArrayList<>();
    for (int repetition = 0; repetition < 3; repetition++) {
      samples.addAll(List.of(rows));
    }
    StagePlan plan = StagePlan.of(true);
    StagePlan all =
        new StagePlan(
            plan.files(),
            plan.fileBytes(),
            plan.warmMemoryBytes(),
            plan.coldMemoryBytes(),
            List.of(5, 10, 50, 200));
    return StageTable.of(all, samples, Map.of());
  }

  private static List<Verdict> verdicts(StageTable table) {
    return StageClaims.of(table).stream().map(Claim::verdict).toList();
  }

  @Test
  void theReportsStagesHold() {
    StageTable table =
        table(
            StageRows.row(StageSide.ASYNC, true, 5, 10, 0, 0, 10, 100),
            StageRows.row(StageSide.ASYNC, true, 50, 12, 0, 0, 19, 1000),
            StageRows.row(StageSide.THREADS, false, 5, 10, 100, 10),
            StageRows.row(StageSide.THREADS, false, 50, 10, 1000, 10));
    assertEquals(List.of(Verdict.HOLDS, Verdict.HOLDS), verdicts(table));
  }

  @Test
  void theyFail() {
    StageTable.Row few = StageRows.row(StageSide.ASYNC, true, 5, 10, 0, 0, 10, 100);
    assertEquals(
        List.of(Verdict.FAILS),
        verdicts(table(few, StageRows.row(StageSide.ASYNC, true, 50, 12, 0, 0, 19, 790))),
        "grows too little");
    assertEquals(
        List.of(Verdict.FAILS),
        verdicts(table(few, StageRows.row(StageSide.ASYNC, true, 50, 21, 0, 0, 19, 1000))),
        "another doubles");
    assertEquals(
        List.of(Verdict.FAILS),
        verdicts(table(few, StageRows.row(StageSide.ASYNC, true, 50, 12, 0, 900, 19, 1000))),
        "not enough of the whole");
    assertEquals(
        List.of(Verdict.FAILS),
        verdicts(
            table(
                StageRows.row(StageSide.VIRTUAL, false, 5, 10, 100, 10),
                StageRows.row(StageSide.VIRTUAL, false, 50, 10, 1000, 1000))));
  }

  @Test
  void callsWithoutIoHaveNoMiddle() {
    StageTable table =
        table(
            StageRows.row(StageSide.THREADS, true, 5, 10, 0, 10),
            StageRows.row(StageSide.THREADS, true, 50, 10, 0, 9));
    assertEquals(List.of(Verdict.UNDECIDED), verdicts(table));
  }

  @Test
  void batchesGrow() {
    StageTable.Row few = StageRows.row(StageSide.ASYNC, true, 10, 1, 0, 0, 1, 1);
    StageTable.Row many = StageRows.row(StageSide.ASYNC, true, 200, 1, 0, 0, 1, 1);
    assertEquals(List.of(Verdict.HOLDS), verdicts(table(few, many)));
    assertEquals(List.of(), verdicts(table(few)));
  }

  @Test
  void itSaysWhenRequestsWaitForTheStoreAndNotForTheApplication() {
    StageTable.Row before = StageRows.row(StageSide.ASYNC, true, 50, 900, 0, 0, 19, 100);
    StageTable.Row behind = StageRows.row(StageSide.ASYNC, true, 50, 100, 0, 0, 19, 900);
    assertTrue(StageClaims.line(table(before)).isPresent());
    assertTrue(StageClaims.line(table(behind)).isEmpty());
  }

  @Test
  void theSectionShowsAllOfIt() {
    Section section =
        StageStudy.section(
            "2.",
            table(
                StageRows.row(StageSide.ASYNC, true, 5, 10, 0, 0, 10, 100),
                StageRows.row(StageSide.ASYNC, true, 50, 12, 0, 0, 19, 1000),
                StageRows.row(StageSide.THREADS, false, 5, 10, 100, 10)));
    assertEquals(3, section.grids().size(), "two of times, one of drains");
    assertEquals(6, section.grids().getFirst().rows().size(), "mean, median and 99th of two");
    assertEquals(1, section.claims().size());
    assertTrue(section.notes().getFirst().contains("add up"), section.notes()::toString);
  }
}
