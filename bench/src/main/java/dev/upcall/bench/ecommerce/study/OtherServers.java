package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Journal;
import dev.upcall.bench.ecommerce.machine.Load;
import dev.upcall.bench.ecommerce.machine.Policy;
import dev.upcall.bench.ecommerce.machine.RunPlan;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.bench.ecommerce.machine.Variant;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.stream.Stream;

/**
 * The paper's schedulers under the same load on servers that differ in one thing: which of them is
 * the best depends on how many ask at a time, and whether any matters on what the limit is. Of the
 * first seed.
 */
record OtherServers(Runs runs) {
  private static final List<Row> ROWS =
      List.of(
          new Row("TPC-C, 300 clients inside", Workload.Kind.TPC_C, Variant.STANDARD),
          new Row("TPC-C, 8 of them at a time", Workload.Kind.TPC_C, Variant.EIGHT_INSIDE),
          new Row("TPC-W, a page costs 0.8 ms", Workload.Kind.TPC_W, Variant.STANDARD),
          new Row("TPC-W, it costs nothing", Workload.Kind.TPC_W, Variant.FREE_PAGES),
          new Row("the same, clients think 7 s", Workload.Kind.TPC_W, Variant.THINKING));

  /** How many runs are needed beyond those of the figure itself. */
  static final int RUNS = 2 * 3 * ofPaper().size();

  /** One server under one benchmark. */
  private record Row(String label, Workload.Kind kind, Variant variant) {}

  private static List<Policy> ofPaper() {
    return Arrays.stream(Policy.values()).filter(Policy::isOfPaper).toList();
  }

  private RunPlan plan(Row row, boolean writeRich, Policy policy) {
    return runs.plan(row.kind, Load.mix(row.kind, writeRich), Load.HEAVY.clients(row.kind))
        .on(policy, Journal.BATCHED)
        .on(row.variant);
  }

  /** Has all of it run, side by side. */
  void ahead() {
    List<RunPlan> plans = new ArrayList<>();
    for (Row row : ROWS) {
      for (Policy policy : ofPaper()) {
        plans.add(plan(row, false, policy));
        plans.add(plan(row, true, policy));
      }
    }
    runs.aheadOnce(plans);
  }

  /** Transactions a minute on each. */
  Grid grid() {
    List<Line> lines =
        ROWS.stream().flatMap(row -> Stream.of(new Line(row, false), new Line(row, true))).toList();
    List<Grid.Column<Line>> columns = new ArrayList<>();
    columns.add(Grid.column("", one -> one.row.label));
    columns.add(Grid.column("mix", one -> Load.mix(one.row.kind, one.writeRich).name()));
    for (Policy policy : ofPaper()) {
      columns.add(Grid.column(policy.label(), one -> Judgement.show(perMinute(one, policy))));
    }
    columns.add(Grid.column("best over worst", one -> Judgement.show(spread(one))));
    columns.add(Grid.column("interarrival, ms", this::interarrival));
    return Grid.of("Other servers: transactions a minute, first seed", lines, columns);
  }

  private record Line(Row row, boolean writeRich) {}

  private double perMinute(Line line, Policy policy) {
    return runs.one(plan(line.row, line.writeRich, policy)).answers().perMinute();
  }

  private double spread(Line line) {
    DoubleSummaryStatistics all =
        ofPaper().stream().mapToDouble(policy -> perMinute(line, policy)).summaryStatistics();
    return all.getMax() / all.getMin();
  }

  private String interarrival(Line line) {
    RunResult usual = runs.one(plan(line.row, line.writeRich, Policy.ANTICIPATORY_4MS));
    return Judgement.show(usual.profile().meanInterarrivalNanos() / 1e6);
  }
}
