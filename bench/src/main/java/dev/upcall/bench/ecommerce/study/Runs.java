package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.Mix;
import dev.upcall.bench.ecommerce.Workload;
import dev.upcall.bench.ecommerce.machine.DatabaseServer;
import dev.upcall.bench.ecommerce.machine.Load;
import dev.upcall.bench.ecommerce.machine.RunPlan;
import dev.upcall.bench.ecommerce.machine.RunResult;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Pace;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** Runs each plan once, whoever asks for its result. */
final class Runs {
  /** What a run of two hundred thousand requests is thought to take. */
  static final double SECONDS = 4;

  private final StudySize size;
  private final Pace pace;
  private final Map<RunPlan, RunResult> done = new ConcurrentHashMap<>();

  Runs(StudySize size, Pace pace) {
    this.size = size;
    this.pace = pace;
  }

  StudySize size() {
    return size;
  }

  /** What one run is thought to take. */
  static double seconds(StudySize size) {
    return switch (size) {
      case QUICK -> 0.1;
      case STANDARD -> SECONDS;
      case FULL -> 6 * SECONDS;
    };
  }

  /** The plan of a benchmark on the paper's machine, from the first seed. */
  RunPlan plan(Workload.Kind kind, Mix mix, int clients) {
    return new RunPlan(
        kind, mix, clients, RunPlan.Setting.PAPER, size.length(kind, size.seeds().getFirst()));
  }

  /** The plan of a case under a load. */
  RunPlan plan(Case one, Load load) {
    return plan(one.kind(), one.mix(), load.clients(one.kind()));
  }

  /** A figure of a plan, for each seed. */
  List<Double> each(RunPlan plan, ToDoubleFunction<RunResult> figure) {
    return all(plan).stream().map(figure::applyAsDouble).toList();
  }

  /** Transactions a minute, the mean of all seeds. */
  double perMinute(RunPlan plan) {
    return Judgement.mean(each(plan, one -> one.answers().perMinute()));
  }

  /** The result of a plan. */
  RunResult one(RunPlan plan) {
    RunResult known = done.get(plan);
    if (known != null) {
      return known;
    }
    begin(plan);
    RunResult result = DatabaseServer.run(plan);
    done.put(plan, result);
    return result;
  }

  private synchronized void begin(RunPlan plan) {
    pace.step(
        seconds(size),
        "%s %s, %d clients, %s, %s"
            .formatted(
                plan.kind().label(),
                plan.mix().name(),
                plan.clients(),
                plan.setting().policy().label(),
                plan.setting().journal().label()));
  }

  /** Runs plans side by side, each from its seed only. */
  void aheadOnce(List<RunPlan> plans) {
    plans.parallelStream().forEach(this::one);
  }

  /** Runs plans from all seeds side by side: each has a thread and a time of its own. */
  void ahead(List<RunPlan> plans) {
    plans.stream().flatMap(plan -> seeded(plan).stream()).toList().parallelStream()
        .forEach(this::one);
  }

  /** The results of a plan from all seeds. */
  List<RunResult> all(RunPlan plan) {
    ahead(List.of(plan));
    return seeded(plan).stream().map(this::one).toList();
  }

  private List<RunPlan> seeded(RunPlan plan) {
    return size.seeds().stream().map(plan::withSeed).toList();
  }
}
