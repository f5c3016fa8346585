package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Journal;
import dev.upcall.bench.ecommerce.machine.Load;
import dev.upcall.bench.ecommerce.machine.Policy;
import dev.upcall.bench.ecommerce.machine.RunPlan;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Section;
import java.util.ArrayList;
import java.util.List;

/** I/O schedulers in front of the drive (figure 7), the store's own among them. */
final class SchedulerStudy {
  static final String TITLE = "6. I/O schedulers";

  private static final double TPC_W_SPREAD = 0.05;
  private static final double OURS = 0.97;

  private final Runs runs;

  SchedulerStudy(Runs runs) {
    this.runs = runs;
  }

  static double seconds(StudySize size) {
    int perSeed = 2 * Workload.Kind.values().length * Policy.values().length;
    return (perSeed * size.seeds().size() + OtherServers.RUNS) * Runs.seconds(size);
  }

  Section section() {
    List<RunPlan> plans = new ArrayList<>();
    for (Workload.Kind kind : Workload.Kind.values()) {
      for (boolean writeRich : new boolean[] {false, true}) {
        for (Policy one : Policy.values()) {
          plans.add(
              runs.plan(kind, Load.mix(kind, writeRich), Load.HEAVY.clients(kind))
                  .on(one, Journal.BATCHED));
        }
      }
    }
    runs.ahead(plans);
    new OtherServers(runs).ahead();
    return new Section(
        TITLE,
        "Heavy load over a file system with a batched journal (ReiserFS, as in the paper). The elevators"
            + " of Linux 2.6.16 at 250 ticks a second, anticipation also at 1,000; fair shares as the"
            + " store has them on flash, and as it has them on this drive, which says that it has heads.",
        List.of(tpcC(), tpcW(), ours()),
        List.of(),
        List.of(),
        List.of(
            grid("Transactions a minute: mean (seeds from to)", one -> one.answers().perMinute()),
            grid("Sequentiality of reads", one -> one.profile().reads().sequentiality()),
            new OtherServers(runs).grid()),
        List.of());
  }

  private List<Double> figures(
      Workload.Kind kind,
      boolean writeRich,
      Policy policy,
      java.util.function.ToDoubleFunction<RunResult> figure) {
    return runs
        .all(
            runs.plan(kind, Load.mix(kind, writeRich), Load.HEAVY.clients(kind))
                .on(policy, Journal.BATCHED))
        .stream()
        .map(figure::applyAsDouble)
        .toList();
  }

  private double perMinute(Workload.Kind kind, boolean writeRich, Policy policy) {
    return Judgement.mean(figures(kind, writeRich, policy, one -> one.answers().perMinute()));
  }

  private Claim tpcC() {
    Judgement judgement = new Judgement(runs.size());
    for (boolean writeRich : new boolean[] {false, true}) {
      double deadline = perMinute(Workload.Kind.TPC_C, writeRich, Policy.DEADLINE);
      for (Policy other : Policy.values()) {
        if (other.isOfPaper() && other != Policy.DEADLINE) {
          judgement.atLeast(
              "%s, over %s"
                  .formatted(Load.mix(Workload.Kind.TPC_C, writeRich).name(), other.label()),
              List.of(deadline / perMinute(Workload.Kind.TPC_C, writeRich, other)),
              1.0);
        }
      }
    }
    return judgement.claim(
        "EC-F7C",
        "Under TPC-C with 300 clients deadline is the best. Taken as: its mean throughput not below"
            + " that of any other of the paper's, both mixes.",
        "A scheduler that waits gains where the next read of a reader is near and few others ask: see"
            + " the table of other servers.");
  }

  private Claim tpcW() {
    Judgement judgement = new Judgement(runs.size());
    for (boolean writeRich : new boolean[] {false, true}) {
      double least = Double.MAX_VALUE;
      double most = 0;
      for (Policy policy : Policy.values()) {
        if (policy.isOfPaper()) {
          double one = perMinute(Workload.Kind.TPC_W, writeRich, policy);
          least = Math.min(least, one);
          most = Math.max(most, one);
        }
      }
      judgement.within(
          "%s, by how much the best is above the worst"
              .formatted(Load.mix(Workload.Kind.TPC_W, writeRich).name()),
          List.of(most / least - 1),
          0,
          TPC_W_SPREAD);
    }
    return judgement.claim(
        "EC-F7W",
        "Under TPC-W the scheduler plays no part. Taken as: less than 5 % between the paper's.",
        "Where the drive is the limit, 16 scans take turns at it, and a scheduler that lets one of them"
            + " go on saves the seeks: see the table of other servers.");
  }

  private Claim ours() {
    Judgement judgement = new Judgement(runs.size());
    for (Workload.Kind kind : Workload.Kind.values()) {
      for (boolean writeRich : new boolean[] {false, true}) {
        double best = 0;
        for (Policy policy : Policy.values()) {
          best = Math.max(best, perMinute(kind, writeRich, policy));
        }
        judgement.atLeast(
            "%s %s".formatted(kind.label(), Load.mix(kind, writeRich).name()),
            List.of(perMinute(kind, writeRich, Policy.FAIR_SHARES) / best),
            OURS);
      }
    }
    return judgement.claim(
        "EC-OURS",
        "Ours, not the paper's: fair shares have at least 0.97 of the throughput of the best.",
        "In a turn of a class requests go on in the order of places; another mix may want other turns.");
  }

  private Grid grid(String title, java.util.function.ToDoubleFunction<RunResult> figure) {
    List<List<String>> rows = new ArrayList<>();
    for (Workload.Kind kind : Workload.Kind.values()) {
      for (boolean writeRich : new boolean[] {false, true}) {
        List<String> row = new ArrayList<>();
        row.add("%s, %s".formatted(kind.label(), Load.mix(kind, writeRich).name()));
        for (Policy policy : Policy.values()) {
          row.add(Judgement.show(figures(kind, writeRich, policy, figure)));
        }
        rows.add(row);
      }
    }
    List<String> columns = new ArrayList<>(List.of(""));
    for (Policy policy : Policy.values()) {
      columns.add(policy.label());
    }
    return new Grid(title, columns, rows);
  }
}
