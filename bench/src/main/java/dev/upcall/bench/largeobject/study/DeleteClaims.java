package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Judgement;
import java.util.List;

/** What the paper says of deletes, whose figures it does not print. */
final class DeleteClaims {
  private static final int LARGE = Mixes.MEANS.getLast();

  private final Mixes mixes;

  DeleteClaims(Mixes mixes) {
    this.mixes = mixes;
  }

  /** That they do as inserts. */
  Claim trend() {
    Judgement judgement = mixes.judgement().about("Rank correlations");
    for (int mean : Mixes.MEANS) {
      String words = Mixes.words(mean);
      double esm = correlation(Structure.allEsm(), mean);
      judgement.atLeast("EOS with " + words, correlation(Structure.allEos(), mean), 0.7);
      judgement.atLeast("ESM", esm, mean == LARGE ? -1 : 0.7);
    }
    return judgement.claim(
        "LOB-DEL",
        "Deletes show the same trends as inserts. Taken as: over the four sizes of leaves or"
            + " thresholds the ranks of both correlate by 0.7 or more, for EOS with every size and"
            + " for ESM with 100 B and 10 KB (with 100 KB leaves that go as a whole are not read,"
            + " so that it is only reported).");
  }

  private double correlation(List<Structure> structures, int mean) {
    return spearman(
        structures.stream().map(one -> mixes.last(one, mean).insertMillis()).toList(),
        structures.stream().map(one -> mixes.last(one, mean).deleteMillis()).toList());
  }

  /** The rank correlation of figures of which no two are equal. */
  static double spearman(List<Double> some, List<Double> others) {
    int count = some.size();
    double squares = 0;
    for (int i = 0; i < count; i++) {
      int apart = rank(some, i) - rank(others, i);
      squares += apart * apart;
    }
    return 1 - 6 * squares / (count * (count * count - 1.0));
  }

  private static int rank(List<Double> figures, int index) {
    return (int) figures.stream().filter(one -> one < figures.get(index)).count();
  }
}
