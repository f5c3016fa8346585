package dev.upcall.bench.blocks;

import dev.upcall.bench.ecommerce.machine.DatabaseServer;
import dev.upcall.bench.ecommerce.machine.Journal;
import dev.upcall.bench.ecommerce.machine.Policy;
import dev.upcall.bench.ecommerce.machine.RunPlan;
import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.harness.Aim;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import dev.upcall.bench.harness.Running;
import dev.upcall.bench.harness.Sample;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a simulated half an hour costs: TPC-C with 300 clients over the page cache, the scheduler
 * and the modelled drive, in processor time of the one thread that runs it.
 */
public final class HalfHourExperiment implements Experiment {
  private static final double AIM_MILLIS = 20_000;

  @Override
  public String name() {
    return "half-hour";
  }

  @Override
  public List<Comparison> prepare(Lab lab) {
    long seconds = lab.settings().either(3, 1800);
    RunPlan plan =
        RunPlan.heavyTpcC(
            new RunPlan.Setting(Policy.DEADLINE, Journal.BATCHED),
            new RunPlan.Length(
                1.0 / lab.settings().either(256, 16), 0, TimeUnit.SECONDS.toNanos(seconds), 1));
    Figure figure = Figure.millis("runs").aimingAt(Aim.number(Figure.Kind.MILLIS, AIM_MILLIS));
    return List.of(
        new Comparison(
            name(),
            "%,d virtual seconds of TPC-C, %d clients, processor time of one core"
                .formatted(seconds, plan.clients()),
            figure,
            List.of(new Entrant("upcall, deadline", Role.OURS, _ -> new Run(plan)))));
  }

  /** Runs the plan on this thread. */
  private record Run(RunPlan plan) implements Running {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Override
    public Sample measure() {
      long begin = THREADS.getCurrentThreadCpuTime();
      DatabaseServer.run(plan);
      double seconds = (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
      return Sample.of(1, seconds, seconds);
    }

    @Override
    public void close() {
      // Nothing was started.
    }
  }
}
