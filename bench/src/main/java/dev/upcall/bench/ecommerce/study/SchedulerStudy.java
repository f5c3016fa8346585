package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.Journal;
import dev.upcall.bench.ecommerce.machine.Load;
import dev.upcall.bench.ecommerce.machine.Policy;
import dev.upcall.bench.ecommerce.machine.RunPlan;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Section;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** I/O schedulers in front of the drive (figure 7), the store's own among them. */
record SchedulerStudy(Runs runs) {
  static final String TITLE = "6. I/O schedulers";

  private static final double TPC_W_SPREAD = 0.05;
  private static final double OURS = 0.97;

  static double seconds(StudySize size) {
    int perSeed = Case.ALL.size() * Policy.values().length;
    return (perSeed * size.seeds().size() + OtherServers.RUNS) * Runs.seconds(size);
  }

  Section section() {
    runs.ahead(
        Case.ALL.stream()
            .flatMap(one -> Stream.of(Policy.values()).map(policy -> plan(one, policy)))
            .toList());
    OtherServers others = new OtherServers(runs);
    others.ahead();
    return Section.of(
        TITLE,
        "Heavy load over a file system with a batched journal (ReiserFS, as in the paper). The elevators"
            + " of Linux 2.6.16 at 250 ticks a second, anticipation also at 1,000; fair shares as the"
            + " store has them on flash, and as it has them on this drive, which says that it has heads.",
        List.of(tpcC(), tpcW(), ours()),
        List.of(),
        List.of(
            grid("Transactions a minute: mean (seeds from to)", one -> one.answers().perMinute()),
            grid("Sequentiality of reads", one -> one.profile().reads().sequentiality()),
            others.grid()));
  }

  private RunPlan plan(Case one, Policy policy) {
    return runs.plan(one, Load.HEAVY).on(policy, Journal.BATCHED);
  }

  private double perMinute(Case one, Policy policy) {
    return runs.perMinute(plan(one, policy));
  }

  private DoubleSummaryStatistics perMinute(Case one, Predicate<Policy> of) {
    return Stream.of(Policy.values())
        .filter(of)
        .mapToDouble(policy -> perMinute(one, policy))
        .summaryStatistics();
  }

  private Claim tpcC() {
    Judgement judgement = new Judgement(runs.size().decides());
    for (Case one : Case.of(Workload.Kind.TPC_C)) {
      for (Policy other : Policy.values()) {
        if (other.isOfPaper() && other != Policy.DEADLINE) {
          judgement.atLeast(
              "%s, over %s".formatted(one.mix().name(), other.label()),
              perMinute(one, Policy.DEADLINE) / perMinute(one, other),
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
    Judgement judgement = new Judgement(runs.size().decides());
    for (Case one : Case.of(Workload.Kind.TPC_W)) {
      DoubleSummaryStatistics all = perMinute(one, Policy::isOfPaper);
      judgement.within(
          "%s, by how much the best is above the worst".formatted(one.mix().name()),
          all.getMax() / all.getMin() - 1,
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
    Judgement judgement = new Judgement(runs.size().decides());
    for (Case one : Case.ALL) {
      judgement.atLeast(
          "%s %s".formatted(one.kind().label(), one.mix().name()),
          perMinute(one, Policy.FAIR_SHARES) / perMinute(one, _ -> true).getMax(),
          OURS);
    }
    return judgement.claim(
        "EC-OURS",
        "Ours, not the paper's: fair shares have at least 0.97 of the throughput of the best.",
        "In a turn of a class requests go on in the order of places; another mix may want other turns.");
  }

  private Grid grid(String title, ToDoubleFunction<RunResult> figure) {
    return Grid.of(
        title,
        Case.ALL,
        Grid.columns(
            Grid.column("", Case::label),
            Stream.of(Policy.values())
                .map(
                    policy ->
                        Grid.column(
                            policy.label(),
                            one -> Judgement.show(runs.each(plan(one, policy), figure))))));
  }
}
