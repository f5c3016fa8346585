package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Grid;
import dev.upcall.bench.report.Judgement;
import java.util.ArrayList;
import java.util.List;

/** What an update costs on an object that is ten times as large. */
final class SizeClaims {
  static final int TIMES = 10;

  private static final int MEAN = Mixes.MEANS.get(1);

  private final Mixes mixes;
  private final int operations;

  SizeClaims(Mixes mixes, int operations) {
    this.mixes = mixes;
    this.operations = operations;
  }

  /** What is compared. */
  static List<Structure> structures() {
    List<Structure> all = new ArrayList<>(Structure.allEsm());
    all.addAll(Structure.allEos());
    all.add(Structure.STARBURST);
    return all;
  }

  /** That only Starburst feels it. */
  Claim size() {
    Judgement judgement = mixes.judgement().about("As many times as much on 100 MB");
    for (Structure structure : structures()) {
      boolean grows = structure.equals(Structure.STARBURST);
      judgement.within(
          structure.label(), ratio(structure), grows ? 9.5 : 0.75, grows ? 10.5 : 1.25);
    }
    return judgement.claim(
        "LOB-SIZE",
        "On 100 MB updates cost ESM and EOS what they do on 10 MB, and Starburst ten times as much"
            + " (the paper's 2.5 minutes contradict its own table 3, by which they are 3.7). Taken"
            + " as: within 25 % for ESM and EOS (one index page more may be missed), 9.5 to 10.5"
            + " times for Starburst; 10 KB.");
  }

  private double ratio(Structure structure) {
    return update(structure, TIMES) / update(structure, 1);
  }

  /** The mean over all operations of both kinds. */
  private double update(Structure structure, int times) {
    Mix mix = new Mix(times * Mixes.OBJECT_BYTES, MEAN, operations);
    List<Mark> marks = mixes.marks(structure, mix);
    double weighted = 0;
    int before = 0;
    for (Mark mark : marks) {
      weighted += mark.updateMillis() * (mark.operations() - before);
      before = mark.operations();
    }
    return weighted / before;
  }

  /** The figures. */
  Grid grid() {
    return Grid.of(
        "Milliseconds of an update of 10 KB, of the first %,d operations".formatted(operations),
        structures(),
        Grid.column("", Structure::label),
        Grid.column("10 MB", one -> Judgement.show(update(one, 1))),
        Grid.column("100 MB", one -> Judgement.show(update(one, TIMES))),
        Grid.column("100 MB / 10 MB", one -> Judgement.show(ratio(one))));
  }
}
