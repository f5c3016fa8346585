package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Journal;
import dev.upcall.bench.ecommerce.machine.Load;
import dev.upcall.bench.ecommerce.machine.Policy;
import dev.upcall.bench.ecommerce.machine.RunPlan;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.bench.ecommerce.machine.Variant;
import dev.upcall.bench.report.Grid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The paper's schedulers under the same load on servers that differ in one thing: which of them is
 * the best depends on how many ask at a time, and whether any matters on what the limit is. Of the
 * first seed.
 */
final class OtherServers {
  private static final List<Row> ROWS =
      List.of(
          new Row("TPC-C, 300 clients inside", Workload.Kind.TPC_C, Variant.STANDARD),
          new Row("TPC-C, 8 of them at a time", Workload.Kind.TPC_C, Variant.EIGHT_INSIDE),
          new Row("TPC-W, a page costs 0.8 ms", Workload.Kind.TPC_W, Variant.STANDARD),
          new Row("TPC-W, it costs nothing", Workload.Kind.TPC_W, Variant.FREE_PAGES),
          new Row("the same, clients think 7 s", Workload.Kind.TPC_W, Variant.THINKING));

  /** How many runs are needed beyond those of the figure itself. */
  static final int RUNS = 2 * 3 * ofPaper().size();

  private final Runs runs;

  /** One server under one benchmark. */
  private record Row(String label, Workload.Kind kind, Variant variant) {}

  OtherServers(Runs runs) {
    this.runs = runs;
  }

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
    List<List<String>> rows = new ArrayList<>();
    for (Row row : ROWS) {
      for (boolean writeRich : new boolean[] {false, true}) {
        rows.add(row(row, writeRich));
      }
    }
    List<String> columns = new ArrayList<>(List.of("", "mix"));
    ofPaper().forEach(policy -> columns.add(policy.label()));
    columns.add("best over worst");
    columns.add("interarrival, ms");
    return new Grid("Other servers: transactions a minute, first seed", columns, rows);
  }

  private List<String> row(Row row, boolean writeRich) {
    List<String> cells = new ArrayList<>();
    cells.add(row.label);
    cells.add(Load.mix(row.kind, writeRich).name());
    double least = Double.MAX_VALUE;
    double most = 0;
    for (Policy policy : ofPaper()) {
      double perMinute = runs.one(plan(row, writeRich, policy)).answers().perMinute();
      least = Math.min(least, perMinute);
      most = Math.max(most, perMinute);
      cells.add(Judgement.show(perMinute));
    }
    cells.add(Judgement.show(most / least));
    RunResult usual = runs.one(plan(row, writeRich, Policy.ANTICIPATORY_4MS));
    cells.add(Judgement.show(usual.profile().meanInterarrivalNanos() / 1e6));
    return cells;
  }
}
