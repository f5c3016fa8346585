package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Judgement;
import java.util.DoubleSummaryStatistics;
import java.util.List;

/** What the paper says of random reads (table 2, figures 9 and 10). */
record ReadClaims(Mixes mixes) {
  /** Costs that are no further apart are taken as equal. */
  private static final double EQUAL = 1.01;

  /** Operations after which updates have hardly touched the object. */
  private static final int SOON = 50;

  private static final List<Integer> LONGER = Mixes.MEANS.subList(1, Mixes.MEANS.size());

  /** All of them. */
  List<Claim> all() {
    return List.of(starburst(), esm(), eosAtFirst(), eosAgainstEsm(), eosAgainstStarburst());
  }

  private double read(Structure structure, int mean) {
    return mixes.last(structure, mean).readMillis();
  }

  private Claim starburst() {
    List<Double> said = List.of(37.0, 54.0, 201.0);
    List<Double> apart = List.of(1.0, 2.0, 4.0);
    Judgement judgement = mixes.judgement().about("Milliseconds");
    for (int i = 0; i < said.size(); i++) {
      int mean = Mixes.MEANS.get(i);
      double low = said.get(i) - apart.get(i);
      double high = said.get(i) + apart.get(i);
      judgement
          .within(Mixes.words(mean), read(Structure.STARBURST, mean), low, high)
          .within("the last mark from that at 2,000, per cent", 100 * drift(mean), 0, 2)
          .show("any two, per cent " + Judgement.show(100 * spread(mean)));
    }
    return judgement.claim(
        "LOB-T2",
        "Starburst's reads of 100 B, 10 KB and 100 KB take 37, 54 and 201 ms, whatever the updates"
            + " before. Taken as: 37 ± 1, 54 ± 2, 201 ± 4, and less than 2 % from the mark at 2,000"
            + " operations to the last.");
  }

  /** How far the last mark lies from the first that has as many operations. */
  private double drift(int mean) {
    List<Mark> marks = mixes.marks(Structure.STARBURST, mean);
    double first = marks.get(Math.min(1, marks.size() - 1)).readMillis();
    return Math.abs(marks.getLast().readMillis() / first - 1);
  }

  /** How far any two marks lie apart, but for the first, which has few operations. */
  private double spread(int mean) {
    List<Double> reads =
        mixes.marks(Structure.STARBURST, mean).stream()
            .skip(1)
            .map(Mark::readMillis)
            .sorted()
            .toList();
    return reads.getLast() / reads.getFirst() - 1;
  }

  private Claim esm() {
    Judgement judgement = mixes.judgement().about("Milliseconds");
    for (int mean : Mixes.MEANS) {
      String words = Mixes.words(mean);
      double sixteen = read(Structure.esm(16), mean);
      judgement
          .show("%s: ".formatted(words) + mixes.figures(Structure.allEsm(), mean, Mark::readMillis))
          .need(
              read(Structure.esm(1), mean) > read(Structure.esm(4), mean)
                  && read(Structure.esm(4), mean) > sixteen,
              "with " + words + " 1, 4, 16 do not fall")
          .need(
              read(Structure.esm(64), mean) <= EQUAL * sixteen,
              "with " + words + " 64 is slower than 16");
    }
    double ratio = read(Structure.esm(1), 10_240) / read(Structure.esm(4), 10_240);
    return judgement
        .within("1 page over 4 pages with 10 KB", ratio, 1.6, 2.2)
        .claim(
            "LOB-F9",
            "Larger leaves of ESM always read faster: much with 100 KB, twice from 1 page to 4 with"
                + " 10 KB, hardly with 100 B. Taken as: 1 > 4 > 16 >= 64 (equal within 1 %), and 1.6 to"
                + " 2.2 from 1 to 4 pages with 10 KB.");
  }

  private Claim eosAtFirst() {
    Judgement judgement = mixes.judgement().about("Slowest over fastest after 200 operations");
    for (int mean : Mixes.MEANS) {
      String before = Judgement.show(apartAtFirst(mean, SOON));
      judgement.within(
          "%s (after %d: %s)".formatted(Mixes.words(mean), SOON, before),
          apartAtFirst(mean, mixes.operations()),
          1,
          1.05);
    }
    return judgement.claim(
        "LOB-F10",
        "At the beginning EOS reads alike with every threshold. Taken as: over the first 200"
            + " operations the slowest takes at most 1.05 times as long as the fastest.");
  }

  /** The slowest threshold over the fastest at the first mark of a mix. */
  private double apartAtFirst(int mean, int operations) {
    Mix mix = new Mix(Mixes.OBJECT_BYTES, mean, operations);
    DoubleSummaryStatistics first =
        Structure.allEos().stream()
            .mapToDouble(eos -> mixes.marks(eos, mix).getFirst().readMillis())
            .summaryStatistics();
    return first.getMax() / first.getMin();
  }

  private Claim eosAgainstEsm() {
    Judgement judgement = mixes.judgement().about("As many times as long");
    for (int mean : LONGER) {
      for (int pages : Structure.PAGES) {
        judgement.within(
            "T = %d with %s".formatted(pages, Mixes.words(mean)),
            read(Structure.eos(pages), mean) / read(Structure.esm(pages), mean),
            0,
            1.03);
      }
    }
    return judgement.claim(
        "LOB-F10",
        "EOS reads as fast as ESM with leaves of T pages or faster. Taken as: at most 1.03 times as"
            + " long, with 10 and 100 KB.");
  }

  private Claim eosAgainstStarburst() {
    Judgement judgement = mixes.judgement().about("As many times as long as Starburst");
    for (int mean : Mixes.MEANS) {
      double starburst = read(Structure.STARBURST, mean);
      judgement
          .within(
              "T = 16 with " + Mixes.words(mean),
              read(Structure.eos(16), mean) / starburst,
              0,
              1.25)
          .within("T = 64", read(Structure.eos(64), mean) / starburst, 0, 1.10);
    }
    return judgement.claim(
        "LOB-F10",
        "With T = 16 EOS comes near Starburst. Taken as: at most 1.25 times Starburst's time with"
            + " T = 16, 1.10 with T = 64.");
  }
}
