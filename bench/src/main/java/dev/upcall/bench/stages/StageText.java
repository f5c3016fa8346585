package dev.upcall.bench.stages;

import dev.upcall.bench.harness.Numbers;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A table of stages for a terminal. */
public final class StageText {
  private static final int CELL = 16;

  private final PrintWriter out;

  /** Onto a terminal. */
  public StageText(PrintWriter out) {
    this.out = out;
  }

  /** Prints the table. */
  public void print(StageTable table) {
    StagePlan plan = table.plan();
    out.printf(
        Locale.ROOT,
        "%nOpen, read and close of one of %,d files of %,d KiB, on one core; microseconds from stamp"
            + " to stamp.%n",
        plan.files(),
        plan.fileBytes() >> 10);
    out.printf(
        Locale.ROOT,
        "warm: all is in the store's memory (%d MiB), nothing asks for I/O, and its stages are empty;"
            + "%ncold: %d MiB of memory, most ask the disk, directly.%n",
        plan.warmMemoryBytes() >> 20,
        plan.coldMemoryBytes() >> 20);
    for (StageSide side : StageSide.values()) {
      block(table, side, true);
      block(table, side, false);
    }
    out.flush();
  }

  private void block(StageTable table, StageSide side, boolean warm) {
    List<StageTable.Row> rows =
        table.rows().stream().filter(row -> row.side() == side && row.warm() == warm).toList();
    if (rows.isEmpty()) {
      return;
    }
    out.printf(Locale.ROOT, "%n%s, %s%n", side.title(), warm ? "warm" : "cold");
    StringBuilder head = new StringBuilder("  in flight      ");
    side.stages().forEach(stage -> head.append(right(stage.until())));
    out.println(head.append(right("total")));
    for (StageTable.Row row : rows) {
      line(row, "%9d  mean".formatted(row.inFlight()), StageTable.Times::mean);
      line(row, "           p50 ", StageTable.Times::p50);
      line(row, "           p99 ", StageTable.Times::p99);
      note(row);
    }
  }

  private void line(StageTable.Row row, String name, ToDoubleFunction<StageTable.Times> statistic) {
    StringBuilder line = new StringBuilder("  ").append(name);
    row.stages().forEach(stage -> line.append(right(cell(stage, statistic))));
    out.println(line.append(right(cell(row.total(), statistic))));
  }

  private void note(StageTable.Row row) {
    out.printf(
        Locale.ROOT,
        "             %s/s, %s with I/O; sums %s (worst %.3f us); the application's own clock: %s us%n",
        Numbers.show(row.perSecond()),
        Numbers.percent(row.withIo()),
        row.sumsHold() ? "hold" : "DO NOT HOLD",
        row.residualMicros(),
        Numbers.show(row.applicationMicros()));
    row.drains()
        .ifPresent(
            drains ->
                out.printf(
                    Locale.ROOT,
                    "             a drain: %s upcalls, %s us, queue %s before and %s after%n",
                    Numbers.show(drains.batch()),
                    Numbers.show(drains.micros()),
                    Numbers.show(drains.before()),
                    Numbers.show(drains.after())));
  }

  private static String cell(StageTable.Times times, ToDoubleFunction<StageTable.Times> statistic) {
    return Numbers.show(statistic.applyAsDouble(times));
  }

  private static String right(String text) {
    return " ".repeat(Math.max(1, CELL - text.length())) + text;
  }
}
