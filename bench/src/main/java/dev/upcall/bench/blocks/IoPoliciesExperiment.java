package dev.upcall.bench.blocks;

import dev.upcall.bench.experiment.Experiment;
import dev.upcall.bench.harness.Comparison;
import dev.upcall.bench.harness.Entrant;
import dev.upcall.bench.harness.Figure;
import dev.upcall.bench.harness.Lab;
import dev.upcall.bench.harness.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * I/O schedulers on this machine's device: one trace of TPC-C, played as fast as it goes by each of
 * ours with 1, 4 and 32 requests at the device, and by fio under each of the kernel's, which are
 * set for that and put back. First of all by both one request at a time: both must move the same.
 */
public final class IoPoliciesExperiment implements Experiment {
  private static final int[] DEPTHS = {1, 4, 32};
  private static final int ASKED = 64;

  /** Of traffic for each second of a sample: a drive of then did in it what takes one now. */
  private static final int VIRTUAL_SECONDS = 20;

  private static final double AIM = 0.99;
  private static final double BY_FIO = 0.9;
  private static final List<String> POLICIES =
      List.of("noop", "deadline", "anticipatory", "anticipatory,ticks=1000", "cfq", "rotating");
  private static final List<String> KERNELS = List.of("none", "mq-deadline", "kyber", "bfq");

  @Override
  public String name() {
    return "io-policies";
  }

  @Override
  public List<Comparison> prepare(Lab lab) throws IOException {
    boolean quick = lab.settings().quick();
    RecordedTrace trace =
        RecordedTrace.make(
            lab.scratch(),
            quick ? 1.0 / 256 : 1.0 / 16,
            quick ? 1 : 60,
            quick ? 3 : Math.round(VIRTUAL_SECONDS * lab.settings().runSeconds()));
    lab.say("io-policies: a trace of %,d requests", trace.requests());
    List<Comparison> comparisons = new ArrayList<>();
    comparisons.add(byFio(trace));
    for (int depth : DEPTHS) {
      comparisons.add(ours(trace, depth));
    }
    for (int depth : DEPTHS) {
      comparisons.add(kernels(trace, depth));
    }
    return comparisons;
  }

  /**
   * The same requests one by one: what a trace of ours is in the hands of another program. By the
   * time that the kernel has them, since each program begins and ends to measure elsewhere.
   */
  private Comparison byFio(RecordedTrace trace) {
    return new Comparison(
        name(),
        "TPC-C played one by one, %,d requests of %,d sectors, by us and by fio, device time"
            .formatted(trace.requests(), trace.sectors()),
        Figure.perSecond("requests").aimingAt(BY_FIO),
        List.of(PolicyReplay.byDevice("upcall", Role.OURS, trace), FioReplay.byDevice(trace)));
  }

  private Comparison ours(RecordedTrace trace, int depth) {
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(entrant("upcall, fair", Role.OURS, trace, knobs("fair", depth)));
    for (String policy : POLICIES) {
      entrants.add(entrant(policy, Role.PEER, trace, knobs(policy, depth)));
    }
    return new Comparison(
        name(),
        "TPC-C played, %d at once, %d at the device".formatted(ASKED, depth),
        Figure.perSecond("requests").aimingAt(AIM),
        entrants);
  }

  private static Entrant entrant(String name, Role role, RecordedTrace trace, String policy) {
    return PolicyReplay.of(name, role, trace, new PolicyReplay.Settings(policy, ASKED));
  }

  private static String knobs(String policy, int depth) {
    return policy + ",depth=" + depth;
  }

  private Comparison kernels(RecordedTrace trace, int depth) {
    List<Entrant> entrants = new ArrayList<>();
    entrants.add(
        PolicyReplay.of(
            "upcall, fair",
            Role.OURS,
            trace,
            new PolicyReplay.Settings(knobs("fair", depth), depth)));
    for (String scheduler : KERNELS) {
      entrants.add(FioReplay.under(scheduler, trace, depth));
    }
    return new Comparison(
        name(),
        "TPC-C played, %d at once, under the kernel's schedulers".formatted(depth),
        Figure.perSecond("requests"),
        entrants);
  }
}
