package dev.upcall.bench.fsm;

import dev.upcall.bench.harness.Numbers;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Section;
import dev.upcall.bench.report.Size;
import dev.upcall.bench.report.Study;
import dev.upcall.bench.report.Warmths;
import dev.upcall.bench.report.Workbench;
import dev.upcall.bench.stages.StagePlan;
import dev.upcall.bench.stages.StageSide;
import dev.upcall.bench.stages.StageTable;
import dev.upcall.bench.stages.StagesRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Where the time of a request goes, from stamps that the machines take themselves. */
final class StageStudy implements Study {
  @Override
  public String title() {
    return "2. Stages of a request";
  }

  @Override
  public double seconds(Size size) {
    Size.Time time = size.time();
    double pointSeconds = time.repetitions() * time.sampleMillis() / 1e3;
    return StagePlan.of(size == Size.TINY).seconds(pointSeconds, time.warmMillis() / 1e3);
  }

  @Override
  public Section run(Workbench bench) throws IOException, InterruptedException {
    StagePlan plan = StagePlan.of(bench.size() == Size.TINY);
    double each = seconds(bench.size()) / (2 * StageSide.values().length);
    StagesRun run =
        new StagesRun(
            bench.lab(), plan, "", name -> bench.pace().step(each, "stages of a request, " + name));
    return section(title(), run.run());
  }

  /** What becomes of a table. */
  static Section section(String title, StageTable table) {
    List<Grid> grids = new ArrayList<>();
    for (StageSide side : StageSide.values()) {
      for (boolean warm : new boolean[] {true, false}) {
        List<StageTable.Row> rows = rows(table, side, warm);
        if (!rows.isEmpty()) {
          grids.add(times(side, warm, rows));
        }
      }
    }
    for (boolean warm : new boolean[] {true, false}) {
      List<StageTable.Row> rows = rows(table, StageSide.ASYNC, warm);
      if (!rows.isEmpty()) {
        grids.add(drains(warm, rows));
      }
    }
    if (!table.warmths().isEmpty()) {
      grids.add(Warmths.grid(table.warmths()));
    }
    List<String> notes = new ArrayList<>(List.of(sums(table)));
    StageClaims.line(table).ifPresent(notes::add);
    return new Section(title, how(table.plan()), StageClaims.of(table), List.of(), grids, notes);
  }

  private static String how(StagePlan plan) {
    return String.format(
        Locale.ROOT,
        "Open, read and close of one of %,d files of %d KiB, on one core, every request stamped by"
            + " the machines that serve it. Warm: all is in the store's memory (%d MiB). Nothing asks"
            + " for I/O then, and the stages of I/O are empty; the report's files were in the"
            + " operating system's cache, where its threads for I/O found them. Cold: %d MiB of"
            + " memory, and most requests ask the disk, directly. I/O starts with the system call"
            + " that hands the request over, and is finished when its completion is reaped; of the"
            + " engine of threads it is the caller's own call. The compiler's share is that of the one"
            + " core. Each point is the sample with the"
            + " median of mean totals, whole; quantiles are too high by a sixteenth at most.",
        plan.files(),
        plan.fileBytes() >> 10,
        plan.warmMemoryBytes() >> 20,
        plan.coldMemoryBytes() >> 20);
  }

  private static String sums(StageTable table) {
    double worst =
        table.rows().stream().mapToDouble(StageTable.Row::residualMicros).max().orElse(0);
    return String.format(
        Locale.ROOT,
        table.sumsHold()
            ? "The stages of each request add up to its total (worst difference %.3f µs)."
            : "The stages of some requests DO NOT add up to their total (worst difference %.3f µs).",
        worst);
  }

  private static List<StageTable.Row> rows(StageTable table, StageSide side, boolean warm) {
    return table.rows().stream().filter(row -> row.side() == side && row.warm() == warm).toList();
  }

  private static Grid times(StageSide side, boolean warm, List<StageTable.Row> rows) {
    List<String> columns = new ArrayList<>(List.of("in flight", "µs"));
    side.stages().forEach(stage -> columns.add("until " + stage.until()));
    columns.addAll(List.of("total", "with I/O", "requests/s", "compiler"));
    List<List<String>> lines = new ArrayList<>();
    for (StageTable.Row row : rows) {
      lines.add(line(row, "mean", StageTable.Times::mean));
      lines.add(line(row, "p50", StageTable.Times::p50));
      lines.add(line(row, "p99", StageTable.Times::p99));
    }
    return new Grid(side.title() + word(warm), columns, lines);
  }

  private static List<String> line(
      StageTable.Row row, String name, ToDoubleFunction<StageTable.Times> statistic) {
    boolean first = name.equals("mean");
    List<String> cells = new ArrayList<>();
    cells.add(first ? Integer.toString(row.inFlight()) : "");
    cells.add(name);
    row.stages().forEach(times -> cells.add(Numbers.show(statistic.applyAsDouble(times))));
    cells.add(Numbers.show(statistic.applyAsDouble(row.total())));
    cells.add(first ? Numbers.percent(row.withIo()) : "");
    cells.add(first ? Numbers.show(row.perSecond()) : "");
    cells.add(first ? Warmths.percent(row.compiling()) : "");
    return cells;
  }

  private static Grid drains(boolean warm, List<StageTable.Row> rows) {
    return Grid.of(
        "A drain of the store's thread, on average" + word(warm),
        rows,
        Grid.column("in flight", row -> Integer.toString(row.inFlight())),
        drain("upcalls", StageTable.Drains::batch),
        drain("µs", StageTable.Drains::micros),
        drain("waited before", StageTable.Drains::before),
        drain("left", StageTable.Drains::after));
  }

  private static Grid.Column<StageTable.Row> drain(
      String head, ToDoubleFunction<StageTable.Drains> figure) {
    return Grid.column(head, row -> Numbers.show(figure.applyAsDouble(row.drains().orElseThrow())));
  }

  private static String word(boolean warm) {
    return warm ? ", warm" : ", cold";
  }
}
