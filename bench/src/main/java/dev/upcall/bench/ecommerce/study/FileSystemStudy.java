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
import java.util.function.ToDoubleFunction;

/** File systems as models of their journals (figure 6). */
final class FileSystemStudy {
  static final String TITLE = "5. Journals of file systems";

  private static final double TPC_W_EFFECT = 0.05;

  private final Runs runs;

  FileSystemStudy(Runs runs) {
    this.runs = runs;
  }

  static double seconds(StudySize size) {
    int perSeed = 2 * Workload.Kind.values().length * Journal.values().length;
    return perSeed * size.seeds().size() * Runs.seconds(size);
  }

  Section section() {
    List<RunPlan> plans = new ArrayList<>();
    for (Workload.Kind kind : Workload.Kind.values()) {
      for (boolean writeRich : new boolean[] {false, true}) {
        for (Journal one : Journal.values()) {
          plans.add(
              runs.plan(kind, Load.mix(kind, writeRich), Load.HEAVY.clients(kind))
                  .on(Policy.ANTICIPATORY_4MS, one));
        }
      }
    }
    runs.ahead(plans);
    return new Section(
        TITLE,
        "Heavy load (64, 128 and 300 clients). No journal: metadata in their place every 30 s (ext2)."
            + " Block journal: the first commit of a second, and otherwise every 5 s, writes them into"
            + " a journal, then in their place (ext3). Batched journal: the same every 30 s, and no"
            + " commit waits for it (ReiserFS). Our log, the store's: a commit is one durable write, which"
            + " the drive's cache does not take; pages are never written over, but one behind the"
            + " other into free blocks, a quarter of the volume's; a checkpoint every 30 s.",
        List.of(tpcW(), tpcC()),
        List.of(),
        List.of(),
        List.of(
            grid("Transactions a minute: mean (seeds from to)", one -> one.answers().perMinute()),
            grid("Sequentiality of writes", one -> one.profile().writes().sequentiality()),
            grid("Sequentiality of reads", one -> one.profile().reads().sequentiality())),
        List.of());
  }

  private List<Double> figures(
      Workload.Kind kind, boolean writeRich, Journal journal, ToDoubleFunction<RunResult> figure) {
    RunPlan plan =
        runs.plan(kind, Load.mix(kind, writeRich), Load.HEAVY.clients(kind))
            .on(Policy.ANTICIPATORY_4MS, journal);
    List<RunResult> results = runs.all(plan);
    return results.stream().map(figure::applyAsDouble).toList();
  }

  private double mean(Workload.Kind kind, boolean writeRich, Journal journal) {
    return Judgement.mean(figures(kind, writeRich, journal, one -> one.answers().perMinute()));
  }

  private Claim tpcW() {
    Judgement judgement = new Judgement(runs.size());
    for (boolean writeRich : new boolean[] {false, true}) {
      double none = mean(Workload.Kind.TPC_W, writeRich, Journal.NONE);
      for (Journal journal : List.of(Journal.BATCHED, Journal.BLOCK)) {
        double effect = Math.abs(mean(Workload.Kind.TPC_W, writeRich, journal) / none - 1);
        judgement.within(
            "%s, %s".formatted(Load.mix(Workload.Kind.TPC_W, writeRich).name(), journal.label()),
            List.of(effect),
            0,
            TPC_W_EFFECT);
      }
    }
    return judgement.claim(
        "EC-F6W", "Under TPC-W the file system plays no part. Taken as: within 5 % of none.");
  }

  private Claim tpcC() {
    Judgement judgement = new Judgement(runs.size());
    for (boolean writeRich : new boolean[] {false, true}) {
      double none = mean(Workload.Kind.TPC_C, writeRich, Journal.NONE);
      double batched = mean(Workload.Kind.TPC_C, writeRich, Journal.BATCHED);
      double block = mean(Workload.Kind.TPC_C, writeRich, Journal.BLOCK);
      judgement.expect(
          none >= batched && batched > block,
          "%s: %s without, %s batched, %s by blocks"
              .formatted(
                  Load.mix(Workload.Kind.TPC_C, writeRich).name(),
                  Judgement.show(none),
                  Judgement.show(batched),
                  Judgement.show(block)));
    }
    return judgement.claim(
        "EC-F6C",
        "Under TPC-C ext2 is slightly above ReiserFS, and that above ext3. Taken as: the means of"
            + " all seeds in this order, both mixes.",
        "The drive's cache takes what a journal writes in 0.2 ms: between seeds throughput differs"
            + " by more than between journals.");
  }

  private Grid grid(String title, ToDoubleFunction<RunResult> figure) {
    List<List<String>> rows = new ArrayList<>();
    for (Workload.Kind kind : Workload.Kind.values()) {
      for (boolean writeRich : new boolean[] {false, true}) {
        List<String> row = new ArrayList<>();
        row.add("%s, %s".formatted(kind.label(), Load.mix(kind, writeRich).name()));
        for (Journal journal : Journal.values()) {
          row.add(Judgement.show(figures(kind, writeRich, journal, figure)));
        }
        rows.add(row);
      }
    }
    List<String> columns = new ArrayList<>(List.of(""));
    for (Journal journal : Journal.values()) {
      columns.add(journal.label());
    }
    return new Grid(title, columns, rows);
  }
}
