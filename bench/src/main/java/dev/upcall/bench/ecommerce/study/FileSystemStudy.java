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
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** File systems as models of their journals (figure 6). */
record FileSystemStudy(Runs runs) {
  static final String TITLE = "5. Journals of file systems";

  private static final double TPC_W_EFFECT = 0.05;

  static double seconds(StudySize size) {
    return Case.ALL.size() * Journal.values().length * size.seeds().size() * Runs.seconds(size);
  }

  Section section() {
    runs.ahead(
        Case.ALL.stream()
            .flatMap(one -> Stream.of(Journal.values()).map(journal -> plan(one, journal)))
            .toList());
    return Section.of(
        TITLE,
        "Heavy load (64, 128 and 300 clients). No journal: metadata in their place every 30 s (ext2)."
            + " Block journal: the first commit of a second, and otherwise every 5 s, writes them into"
            + " a journal, then in their place (ext3). Batched journal: the same every 30 s, and no"
            + " commit waits for it (ReiserFS). Our log, the store's: a commit is one durable write, which"
            + " the drive's cache does not take; pages are never written over, but one behind the"
            + " other into free blocks, a quarter of the volume's; a checkpoint every 30 s.",
        List.of(tpcW(), tpcC()),
        List.of(),
        List.of(
            grid("Transactions a minute: mean (seeds from to)", one -> one.answers().perMinute()),
            grid("Sequentiality of writes", one -> one.profile().writes().sequentiality()),
            grid("Sequentiality of reads", one -> one.profile().reads().sequentiality())));
  }

  private RunPlan plan(Case one, Journal journal) {
    return runs.plan(one, Load.HEAVY).on(Policy.ANTICIPATORY_4MS, journal);
  }

  private double perMinute(Case one, Journal journal) {
    return runs.perMinute(plan(one, journal));
  }

  private Claim tpcW() {
    Judgement judgement = new Judgement(runs.size().decides());
    for (Case one : Case.of(Workload.Kind.TPC_W)) {
      for (Journal journal : List.of(Journal.BATCHED, Journal.BLOCK)) {
        judgement.within(
            "%s, %s".formatted(one.mix().name(), journal.label()),
            Math.abs(perMinute(one, journal) / perMinute(one, Journal.NONE) - 1),
            0,
            TPC_W_EFFECT);
      }
    }
    return judgement.claim(
        "EC-F6W", "Under TPC-W the file system plays no part. Taken as: within 5 % of none.");
  }

  private Claim tpcC() {
    Judgement judgement = new Judgement(runs.size().decides());
    for (Case one : Case.of(Workload.Kind.TPC_C)) {
      double none = perMinute(one, Journal.NONE);
      double batched = perMinute(one, Journal.BATCHED);
      double block = perMinute(one, Journal.BLOCK);
      judgement.expect(
          none >= batched && batched > block,
          "%s: %s without, %s batched, %s by blocks"
              .formatted(
                  one.mix().name(),
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
    return Grid.of(
        title,
        Case.ALL,
        Grid.columns(
            Grid.column("", Case::label),
            Stream.of(Journal.values())
                .map(
                    journal ->
                        Grid.column(
                            journal.label(),
                            one -> Judgement.show(runs.each(plan(one, journal), figure))))));
  }
}
