package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Claim;
import java.util.List;

/** What the paper says of space (figures 7 and 8), and against the study of ESM of 1986. */
final class UtilizationClaims {
  private static final int SMALL = Mixes.MEANS.getFirst();
  private static final int MIDDLE = Mixes.MEANS.get(1);
  private static final int LARGE = Mixes.MEANS.getLast();

  private final Mixes mixes;

  UtilizationClaims(Mixes mixes) {
    this.mixes = mixes;
  }

  /** All of them. */
  List<Claim> all() {
    return List.of(smallEsm(), middleEsm(), largeEsm(), eos(), care());
  }

  private double esm(int pages, int mean) {
    return mixes.last(Structure.esm(pages), mean).utilization();
  }

  private double eos(int threshold, int mean) {
    return mixes.last(Structure.eos(threshold), mean).utilization();
  }

  private String found(List<Structure> structures, int mean) {
    return mixes.figures(structures, mean, Mark::utilization);
  }

  private Claim smallEsm() {
    Findings findings = new Findings();
    for (int pages : Structure.PAGES) {
      findings.within(Structure.esm(pages).label(), esm(pages, SMALL), 0.75, 0.86);
    }
    return findings.claim(
        "LOB-F7a",
        "ESM with operations of 100 B is in the low 80s per cent full with every leaf. Taken as:"
            + " 0.75 to 0.86.",
        "The parts of it that are full: " + found(Structure.allEsm(), SMALL) + ".",
        mixes);
  }

  private Claim middleEsm() {
    Findings findings = new Findings();
    double one = esm(1, MIDDLE);
    findings.within(Structure.esm(1).label(), one, 0.79, 0.88);
    for (int pages : List.of(4, 16, 64)) {
      double other = esm(pages, MIDDLE);
      findings.within(Structure.esm(pages).label(), other, 0.73, 0.83);
      findings.expect(one > other, "1 page is no fuller than " + pages);
    }
    return findings.claim(
        "LOB-F7b",
        "With 10 KB it is 85 % full with leaves of one page, and about 80 % with others. Taken as:"
            + " one page is fullest, 0.79 to 0.88; others 0.73 to 0.83.",
        "The parts of it that are full: " + found(Structure.allEsm(), MIDDLE) + ".",
        mixes);
  }

  private Claim largeEsm() {
    Findings findings = new Findings();
    for (int i = 1; i < Structure.PAGES.size(); i++) {
      int smaller = Structure.PAGES.get(i - 1);
      int larger = Structure.PAGES.get(i);
      findings.expect(
          esm(larger, LARGE) < esm(smaller, LARGE),
          larger + " pages are no emptier than " + smaller);
    }
    findings.expect(esm(1, LARGE) >= 0.94, "1 page is less than 0.94 full");
    findings.within(Structure.esm(64).label(), esm(64, LARGE), 0.70, 0.80);
    return findings.claim(
        "LOB-F7c",
        "With 100 KB it falls from 96 % with leaves of one page to about 75 % with 64. Taken as: it"
            + " falls with each leaf, from 0.94 or more to 0.70 to 0.80.",
        "The parts of it that are full: " + found(Structure.allEsm(), LARGE) + ".",
        mixes);
  }

  private Claim eos() {
    Findings findings = new Findings();
    StringBuilder found = new StringBuilder();
    for (int mean : Mixes.MEANS) {
      String words = Mixes.words(mean);
      found.append(found.isEmpty() ? "With " : "; with ").append(words).append(": ");
      found.append(found(Structure.allEos(), mean));
      for (int i = 1; i < Structure.PAGES.size(); i++) {
        int higher = Structure.PAGES.get(i);
        findings.expect(
            eos(higher, mean) > eos(Structure.PAGES.get(i - 1), mean),
            "with %s it does not rise to T = %d".formatted(words, higher));
      }
      findings.expect(eos(16, mean) >= 0.975, "T = 16 is below 0.975 with " + words);
      findings.expect(eos(64, mean) >= 0.99, "T = 64 is below 0.99 with " + words);
      findings.expect(
          Math.abs(eos(1, mean) - esm(1, mean)) <= 0.10,
          "T = 1 and ESM's one page (%s) are more than 0.10 apart with %s"
              .formatted(Findings.show(esm(1, mean)), words));
    }
    return findings.claim(
        "LOB-F8",
        "A higher threshold of EOS fills space better at every size: above 98 % at 16 pages, almost"
            + " 100 % at 64, and at 1 like ESM with leaves of one page. Taken as: it rises with T,"
            + " 0.975 or more at 16, 0.99 at 64, at 1 within 0.10 of ESM.",
        found + ".",
        mixes);
  }

  private Claim care() {
    double small = esm(1, SMALL) - esm(64, SMALL);
    double large = esm(1, LARGE) - esm(64, LARGE);
    return new Findings()
        .expect(large > small, "the gap does not grow")
        .claim(
            "LOB-CARE",
            "Against the study of ESM of 1986: larger operations do not shrink the gap between"
                + " leaves of one page and larger ones. Taken as: the gap between 1 and 64 pages"
                + " grows from 100 B to 100 KB.",
            "The gap is %s with 100 B, %s with 10 KB and %s with 100 KB."
                .formatted(
                    Findings.show(small),
                    Findings.show(esm(1, MIDDLE) - esm(64, MIDDLE)),
                    Findings.show(large)),
            mixes);
  }
}
