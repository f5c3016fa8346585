package dev.upcall.bench.ecommerce.study;

import dev.upcall.bench.ecommerce.machine.CheckpointReaders;
import dev.upcall.bench.ecommerce.machine.Policy;
import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import dev.upcall.bench.report.Pace;
import dev.upcall.bench.report.Section;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Readers of our store beside its checkpoint: what a scheduler leaves them. Not of the paper. */
final class CheckpointStudy {
  static final String TITLE = "7. Readers beside a checkpoint";

  private static final List<Policy> POLICIES =
      List.of(Policy.DEADLINE, Policy.FLAT_SHARES, Policy.FAIR_SHARES);
  private static final double MOST = 1.5;
  private static final double SECONDS = 3;

  private final StudySize size;
  private final Pace pace;
  private final Map<Policy, List<CheckpointReaders.Result>> results = new EnumMap<>(Policy.class);

  CheckpointStudy(StudySize size, Pace pace) {
    this.size = size;
    this.pace = pace;
  }

  static double seconds(StudySize size) {
    return POLICIES.size() * size.seeds().size() * runSeconds(size);
  }

  private static double runSeconds(StudySize size) {
    return size.decides() ? SECONDS : SECONDS / 10;
  }

  Section section() {
    int batches = size.decides() ? 24 : 3;
    long aloneNanos = TimeUnit.SECONDS.toNanos(size.decides() ? 20 : 1);
    for (Policy policy : POLICIES) {
      List<CheckpointReaders.Result> all = new ArrayList<>();
      for (long seed : size.seeds()) {
        pace.step(runSeconds(size), "readers beside a checkpoint, %s".formatted(policy.label()));
        all.add(CheckpointReaders.run(policy, seed, batches, aloneNanos));
      }
      results.put(policy, all);
    }
    return Section.of(
        TITLE,
        "A store on the modelled drive, with contents; %d files of 16 KiB are written, then a"
                .formatted(batches * 32)
            + " checkpoint gives them their places while eight readers read random blocks of 4 KiB one"
            + " after the other. Times are virtual.",
        List.of(claim()),
        List.of(),
        List.of(grid()));
  }

  private List<Double> figures(Policy policy, ToDoubleFunction<CheckpointReaders.Result> figure) {
    return results.getOrDefault(policy, List.of()).stream().map(figure::applyAsDouble).toList();
  }

  private Claim claim() {
    return new Judgement(size.decides())
        .within(
            "p99 beside over p99 alone, fair shares",
            figures(Policy.FAIR_SHARES, CheckpointReaders.Result::ratio),
            0,
            MOST)
        .claim(
            "EC-READ",
            "Ours, not the paper's: beside a checkpoint the 99th percentile of reads is at most 1.5"
                + " times that without one.");
  }

  private Grid grid() {
    return Grid.of(
        "Reads of 4 KiB, milliseconds: mean (seeds from to)",
        POLICIES,
        Grid.column("", Policy::label),
        column("p99 alone", one -> one.aloneNanos() / 1e6),
        column("p99 beside", one -> one.besideNanos() / 1e6),
        column("times", CheckpointReaders.Result::ratio),
        column("reads beside", CheckpointReaders.Result::reads),
        column("checkpoint, s", one -> one.checkpointNanos() / 1e9));
  }

  private Grid.Column<Policy> column(
      String head, ToDoubleFunction<CheckpointReaders.Result> figure) {
    return Grid.column(head, policy -> Judgement.show(figures(policy, figure)));
  }
}
