package dev.upcall.bench.stages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StageTableTest {
  private static final StagePlan PLAN = new StagePlan(10, 4096, 1 << 20, 1 << 16, List.of(5, 50));

  private static StageTable.Row row(StageSide side, boolean warm, int inFlight, double... means) {
    return StageRows.row(side, warm, inFlight, means);
  }

  private static StageTable table(StageTable.Row... rows) {
    return StageTable.of(PLAN, List.of(rows), Map.of());
  }

  @Test
  void aWorkersAnswerIsARow() {
    StageTable.Row row = row(StageSide.ASYNC, false, 5, 1, 2, 3, 4, 10);
    assertEquals(20, row.total().mean());
    assertEquals(0.5, row.share(4));
    assertEquals(4, row.longest());
    assertEquals(1, row.withIo());
    assertEquals(100, row.perSecond());
    assertEquals(new StageTable.Drains(5, 2, 3, 4), row.drains().orElseThrow());
    assertTrue(row.sumsHold());
    assertTrue(row(StageSide.THREADS, false, 5, 1, 2, 3).drains().isEmpty());
  }

  @Test
  void sumsThatDoNotHoldAreSeen() {
    StageTable.Row row = row(StageSide.THREADS, false, 5, 1, 2, 3);
    StageTable.Row outOfOrder =
        new StageTable.Row(
            row.side(),
            false,
            5,
            100,
            1,
            1,
            1,
            row.stages(),
            row.total(),
            1.5,
            Optional.empty(),
            0);
    StageTable.Row lacking =
        new StageTable.Row(
            row.side(),
            false,
            5,
            100,
            1,
            1,
            1,
            row.stages().subList(0, 2),
            row.total(),
            0,
            Optional.empty(),
            0);
    assertFalse(outOfOrder.sumsHold());
    assertFalse(lacking.sumsHold());
    assertFalse(table(row, lacking).sumsHold());
    assertTrue(table(row).sumsHold());
  }

  @Test
  void theSampleInTheMiddleIsShownAndAllAreKept() {
    StageTable table =
        table(
            row(StageSide.THREADS, true, 5, 1, 2, 90),
            row(StageSide.THREADS, true, 5, 1, 2, 3),
            row(StageSide.THREADS, true, 50, 1, 2, 4),
            row(StageSide.THREADS, true, 5, 1, 2, 8));
    assertEquals(11, table.row(StageSide.THREADS, true, 5).orElseThrow().total().mean());
    assertEquals(2, table.rows().size());
    assertEquals(
        List.of(93.0, 6.0, 11.0),
        table.samples(StageSide.THREADS, true, 5).stream()
            .map(sample -> sample.total().mean())
            .toList());
  }

  @Test
  void itCanBeRead() {
    StringWriter text = new StringWriter();
    new StageText(new PrintWriter(text))
        .print(
            table(
                row(StageSide.ASYNC, true, 5, 10, 0, 0, 10, 100),
                row(StageSide.ASYNC, true, 50, 12, 0, 0, 19, 1000)));
    assertTrue(
        text.toString().contains("application on a thread of its own, warm"), text::toString);
    assertTrue(text.toString().contains("sums hold"), text::toString);
  }
}
