package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Judgement;
import java.util.List;

/** What the paper says of space (figures 7 and 8), and against the study of ESM of 1986. */
record UtilizationClaims(Mixes mixes) {
  private static final int SMALL = Mixes.MEANS.getFirst();
  private static final int MIDDLE = Mixes.MEANS.get(1);
  private static final int LARGE = Mixes.MEANS.getLast();

  /** All of them. */
  List<Claim> all() {
    return List.of(smallEsm(), middleEsm(), largeEsm(), eos(), care());
  }

  private Judgement full() {
    return mixes.judgement().about("The parts that are full");
  }

  private double full(Structure structure, int mean) {
    return mixes.last(structure, mean).utilization();
  }

  private double esm(int pages, int mean) {
    return full(Structure.esm(pages), mean);
  }

  /** Each of some must be less full than the one before it. */
  private void falling(Judgement judgement, List<Structure> structures, int mean) {
    for (int i = 1; i < structures.size(); i++) {
      Structure one = structures.get(i);
      Structure before = structures.get(i - 1);
      judgement.below(one.label(), full(one, mean), before.label(), full(before, mean));
    }
  }

  private Claim smallEsm() {
    Judgement judgement = full();
    for (Structure esm : Structure.allEsm()) {
      judgement.within(esm.label(), full(esm, SMALL), 0.75, 0.86);
    }
    return judgement.claim(
        "LOB-F7a",
        "ESM with operations of 100 B is in the low 80s per cent full with every leaf. Taken as:"
            + " 0.75 to 0.86.");
  }

  private Claim middleEsm() {
    double one = esm(1, MIDDLE);
    Judgement judgement = full().within(Structure.esm(1).label(), one, 0.79, 0.88);
    for (int pages : List.of(4, 16, 64)) {
      String label = Structure.esm(pages).label();
      judgement
          .within(label, esm(pages, MIDDLE), 0.73, 0.83)
          .below(label, esm(pages, MIDDLE), "1 page", one);
    }
    return judgement.claim(
        "LOB-F7b",
        "With 10 KB it is 85 % full with leaves of one page, and about 80 % with others. Taken as:"
            + " one page is fullest, 0.79 to 0.88; others 0.73 to 0.83.");
  }

  private Claim largeEsm() {
    Judgement judgement =
        full()
            .show(mixes.figures(Structure.allEsm(), LARGE, Mark::utilization))
            .need(esm(1, LARGE) >= 0.94, "1 page is less than 0.94 full")
            .need(esm(64, LARGE) >= 0.70 && esm(64, LARGE) <= 0.80, "64 pages are not 0.7 to 0.8");
    falling(judgement, Structure.allEsm(), LARGE);
    return judgement.claim(
        "LOB-F7c",
        "With 100 KB it falls from 96 % with leaves of one page to about 75 % with 64. Taken as: it"
            + " falls with each leaf, from 0.94 or more to 0.70 to 0.80.");
  }

  private Claim eos() {
    Judgement judgement = full();
    for (int mean : Mixes.MEANS) {
      String words = Mixes.words(mean);
      double one = full(Structure.eos(1), mean);
      judgement
          .show(words + ": " + mixes.figures(Structure.allEos(), mean, Mark::utilization))
          .need(full(Structure.eos(16), mean) >= 0.975, "T = 16 is below 0.975 with " + words)
          .need(full(Structure.eos(64), mean) >= 0.99, "T = 64 is below 0.99 with " + words)
          .need(
              Math.abs(one - esm(1, mean)) <= 0.10,
              "T = 1 and ESM's one page (%s) are more than 0.10 apart with %s"
                  .formatted(Judgement.show(esm(1, mean)), words));
      falling(judgement, Structure.allEos().reversed(), mean);
    }
    return judgement.claim(
        "LOB-F8",
        "A higher threshold of EOS fills space better at every size: above 98 % at 16 pages, almost"
            + " 100 % at 64, and at 1 like ESM with leaves of one page. Taken as: it rises with T,"
            + " 0.975 or more at 16, 0.99 at 64, at 1 within 0.10 of ESM.");
  }

  private Claim care() {
    double small = esm(1, SMALL) - esm(64, SMALL);
    double large = esm(1, LARGE) - esm(64, LARGE);
    return mixes
        .judgement()
        .show(
            "the gap is %s with 100 B, %s with 10 KB and %s with 100 KB"
                .formatted(
                    Judgement.show(small),
                    Judgement.show(esm(1, MIDDLE) - esm(64, MIDDLE)),
                    Judgement.show(large)))
        .need(large > small, "the gap does not grow")
        .claim(
            "LOB-CARE",
            "Against the study of ESM of 1986: larger operations do not shrink the gap between"
                + " leaves of one page and larger ones. Taken as: the gap between 1 and 64 pages"
                + " grows from 100 B to 100 KB.");
  }
}
