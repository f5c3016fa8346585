package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What the paper says of making and reading objects (figures 5 and 6), and of their indexes. */
final class CreationClaims {
  private static final Structure EOS = Structure.eos(4);
  private static final int PAGE_KIB = 4;
  private static final int LONGEST_KIB = 512;
  private static final double LESS = 0.8;
  private static final double MORE = 1.2;

  private final Creations creations;

  CreationClaims(Creations creations) {
    this.creations = creations;
  }

  /** All of them. */
  List<Claim> all() {
    return List.of(
        bestAtLeaf(), eosBest(), linear(), onePageScan(), plateaus(), bestScans(), indexes());
  }

  private double create(Structure structure, int chunkKib) {
    return creations.of(structure, chunkKib).createSeconds();
  }

  private double scan(Structure structure, int chunkKib) {
    return creations.of(structure, chunkKib).scanSeconds();
  }

  /** Nothing here is drawn by chance, nor made shorter. */
  private static Judgement judgement() {
    return new Judgement(/* decides= */ true);
  }

  private Claim bestAtLeaf() {
    Judgement judgement = judgement().about("With appends of a leaf");
    for (int pages : Structure.PAGES) {
      Structure esm = Structure.esm(pages);
      int leafKib = pages * PAGE_KIB;
      double atLeaf = create(esm, leafKib);
      judgement.show("%s s (%s)".formatted(Judgement.show(atLeaf), esm.parameter()));
      for (int chunk : Creations.CHUNKS_KIB) {
        if (chunk < leafKib) {
          judgement.below(
              esm.label(), atLeaf, "appends of %d KB".formatted(chunk), create(esm, chunk));
        }
      }
    }
    return judgement.claim(
        "LOB-F5",
        "ESM makes objects fastest where the append is as large as a leaf. Taken as: each leaf has"
            + " its least time over appends up to its own size there.");
  }

  private Claim eosBest() {
    double eos = 0;
    double starburst = 0;
    for (int chunk : Creations.CHUNKS_KIB) {
      double best = best(structure -> create(structure, chunk));
      eos = Math.max(eos, create(EOS, chunk) / best);
      starburst = Math.max(starburst, create(Structure.STARBURST, chunk) / best);
    }
    return judgement()
        .about("Where it is nearest, as many times as long as the best leaf of ESM")
        .within("EOS", eos, 0, 1.02)
        .show("Starburst " + Judgement.show(starburst))
        .claim(
            "LOB-F5",
            "Starburst and EOS make objects as fast as the best leaf of ESM or faster at every size of"
                + " appends. Taken as: EOS takes at most 1.02 times as long.");
  }

  private static double best(ToDoubleFunction<Structure> seconds) {
    return Structure.allEsm().stream().mapToDouble(seconds).min().orElseThrow();
  }

  private Claim linear() {
    Judgement judgement = judgement().about("20 MB take as many times as long");
    for (Structure structure : Creations.structures()) {
      double large = creations.of(structure, 64, 2 * Mixes.OBJECT_BYTES).createSeconds();
      judgement.within(structure.label(), large / create(structure, 64), 1.95, 2.05);
    }
    return judgement.claim(
        "LOB-F5",
        "Creation costs time in proportion to the object. Taken as: 20 MB take 1.95 to 2.05 times"
            + " as long as 10 MB (appends of 64 KB).");
  }

  private Claim onePageScan() {
    Structure esm = Structure.esm(1);
    double atPage = scan(esm, PAGE_KIB);
    double most =
        Creations.CHUNKS_KIB.stream()
            .filter(chunk -> chunk >= PAGE_KIB)
            .mapToDouble(chunk -> Math.abs(scan(esm, chunk) / atPage - 1))
            .max()
            .orElseThrow();
    return judgement()
        .show("%s s at 4 KB".formatted(Judgement.show(atPage)))
        .within("per cent that any above is away from it", 100 * most, 0, 1)
        .claim(
            "LOB-F6",
            "Leaves of one page are read in the same time, however large the reads. Taken as: within"
                + " 1 % from 4 KB on.");
  }

  private Claim plateaus() {
    Judgement judgement = judgement().about("Seconds at 512 KB");
    List<Double> expected = List.of(94.7, 31.4, 15.5, 11.6, 10.9);
    List<Structure> all = new ArrayList<>(Structure.allEsm());
    all.add(EOS);
    for (int i = 0; i < expected.size(); i++) {
      Structure one = all.get(i);
      double seconds = expected.get(i);
      judgement.within(one.label(), scan(one, LONGEST_KIB), LESS * seconds, MORE * seconds);
    }
    return judgement.claim(
        "LOB-F6",
        "Reads longer than a leaf gain nothing more. Taken as: at 512 KB 94.7, 31.4, 15.5 and 11.6"
            + " s for leaves of 1, 4, 16 and 64 pages, 10.9 s for EOS, 20 % more or less.");
  }

  private Claim bestScans() {
    double worst = 0;
    double least = Double.MAX_VALUE;
    for (int chunk : Creations.CHUNKS_KIB) {
      double best = best(structure -> scan(structure, chunk));
      double slower = Math.max(scan(EOS, chunk), scan(Structure.STARBURST, chunk));
      worst = Math.max(worst, slower / best);
      least = Math.min(least, Math.min(best, scan(EOS, chunk)));
    }
    return judgement()
        .within("times as long as the best leaf, at worst", worst, 0, 1.02)
        .atLeast("seconds of the fastest of all", least, 10.2)
        .claim(
            "LOB-F6",
            "Starburst and EOS are read as fast as the best leaf of ESM or faster; the floor is 10 s."
                + " Taken as: at most 1.02 times as long, and nothing below 10.2 s.");
  }

  private Claim indexes() {
    return judgement()
        .about("Index pages after appends")
        .within("leaves of one page", creations.of(Structure.esm(1), 64).indexPages(), 9, 9)
        .within("of four pages", creations.of(Structure.esm(4), 64).indexPages(), 2, 2)
        .claim(
            "LOB-IDX",
            "An object of 10 MB has 9 index pages with leaves of one page and 2 with leaves of four"
                + " (the root not counted).");
  }
}
