package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Claim;
import java.util.ArrayList;
import java.util.List;

/** What the paper says of random reads (table 2, figures 9 and 10). */
final class ReadClaims {
  /** Costs that are no further apart are taken as equal. */
  private static final double EQUAL = 1.01;

  /** Operations after which updates have hardly touched the object. */
  private static final int SOON = 50;

  private static final List<Integer> LONGER = Mixes.MEANS.subList(1, Mixes.MEANS.size());

  private final Mixes mixes;

  ReadClaims(Mixes mixes) {
    this.mixes = mixes;
  }

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
    Findings findings = new Findings();
    List<String> found = new ArrayList<>();
    double most = 0;
    double apartMost = 0;
    for (int i = 0; i < said.size(); i++) {
      int mean = Mixes.MEANS.get(i);
      double millis = read(Structure.STARBURST, mean);
      found.add(Findings.show(millis));
      findings.within(
          Mixes.words(mean), millis, said.get(i) - apart.get(i), said.get(i) + apart.get(i));
      double drift = drift(mean);
      most = Math.max(most, drift);
      apartMost = Math.max(apartMost, spread(mean));
      findings.expect(
          drift < 0.02,
          "%s drifts by %s %%".formatted(Mixes.words(mean), Findings.show(100 * drift)));
    }
    return findings.claim(
        "LOB-T2",
        "Starburst's reads of 100 B, 10 KB and 100 KB take 37, 54 and 201 ms, whatever the updates"
            + " before. Taken as: 37 ± 1, 54 ± 2, 201 ± 4, and less than 2 % from the mark at 2,000"
            + " operations to the last.",
        "They take %s ms; the last mark is %s %% from that at 2,000 at most, any two are %s %%."
            .formatted(
                String.join(", ", found),
                Findings.show(100 * most),
                Findings.show(100 * apartMost)),
        mixes);
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
    Findings findings = new Findings();
    List<String> found = new ArrayList<>();
    for (int mean : Mixes.MEANS) {
      String words = Mixes.words(mean);
      found.add(words + ": " + mixes.figures(Structure.allEsm(), mean, Mark::readMillis));
      double one = read(Structure.esm(1), mean);
      double four = read(Structure.esm(4), mean);
      double sixteen = read(Structure.esm(16), mean);
      double most = read(Structure.esm(64), mean);
      findings.expect(one > four && four > sixteen, "with " + words + " 1, 4, 16 do not fall");
      findings.expect(most <= EQUAL * sixteen, "with " + words + " 64 is slower than 16");
    }
    double ratio = read(Structure.esm(1), 10_240) / read(Structure.esm(4), 10_240);
    findings.within("1 page over 4 pages with 10 KB", ratio, 1.6, 2.2);
    return findings.claim(
        "LOB-F9",
        "Larger leaves of ESM always read faster: much with 100 KB, twice from 1 page to 4 with"
            + " 10 KB, hardly with 100 B. Taken as: 1 > 4 > 16 >= 64 (equal within 1 %), and 1.6 to"
            + " 2.2 from 1 to 4 pages with 10 KB.",
        "Milliseconds with %s; 1 page over 4 with 10 KB: %s."
            .formatted(String.join("; ", found), Findings.show(ratio)),
        mixes);
  }

  private Claim eosAtFirst() {
    Findings findings = new Findings();
    List<String> found = new ArrayList<>();
    for (int mean : Mixes.MEANS) {
      String words = Mixes.words(mean);
      double ratio = apartAtFirst(mean, mixes.operations());
      double before = apartAtFirst(mean, SOON);
      found.add(
          "%s with %s (%s after %d)"
              .formatted(Findings.show(ratio), words, Findings.show(before), SOON));
      findings.within("slowest over fastest with " + words, ratio, 1, 1.05);
    }
    return findings.claim(
        "LOB-F10",
        "At the beginning EOS reads alike with every threshold. Taken as: over the first 200"
            + " operations the slowest takes at most 1.05 times as long as the fastest.",
        "Slowest over fastest after 200 operations: " + String.join(", ", found) + ".",
        mixes);
  }

  /** The slowest threshold over the fastest at the first mark of a mix. */
  private double apartAtFirst(int mean, int operations) {
    Mix mix = new Mix(Mixes.OBJECT_BYTES, mean, operations);
    List<Double> first =
        Structure.allEos().stream()
            .map(eos -> mixes.marks(eos, mix).getFirst().readMillis())
            .sorted()
            .toList();
    return first.getLast() / first.getFirst();
  }

  private Claim eosAgainstEsm() {
    Findings findings = new Findings();
    List<String> found = new ArrayList<>();
    for (int mean : LONGER) {
      for (int pages : Structure.PAGES) {
        double ratio = read(Structure.eos(pages), mean) / read(Structure.esm(pages), mean);
        String what = "T = %d with %s".formatted(pages, Mixes.words(mean));
        found.add(what + ": " + Findings.show(ratio));
        findings.expect(ratio <= 1.03, what + " takes more than 1.03 times as long");
      }
    }
    return findings.claim(
        "LOB-F10",
        "EOS reads as fast as ESM with leaves of T pages or faster. Taken as: at most 1.03 times as"
            + " long, with 10 and 100 KB.",
        "As many times as long: " + String.join(", ", found) + ".",
        mixes);
  }

  private Claim eosAgainstStarburst() {
    Findings findings = new Findings();
    List<String> found = new ArrayList<>();
    for (int mean : Mixes.MEANS) {
      double starburst = read(Structure.STARBURST, mean);
      double sixteen = read(Structure.eos(16), mean) / starburst;
      double most = read(Structure.eos(64), mean) / starburst;
      String words = Mixes.words(mean);
      found.add("%s and %s with %s".formatted(Findings.show(sixteen), Findings.show(most), words));
      findings.expect(sixteen <= 1.25, "T = 16 takes more than 1.25 times with " + words);
      findings.expect(most <= 1.10, "T = 64 takes more than 1.10 times with " + words);
    }
    return findings.claim(
        "LOB-F10",
        "With T = 16 EOS comes near Starburst. Taken as: at most 1.25 times Starburst's time with"
            + " T = 16, 1.10 with T = 64.",
        "T = 16 and 64 take " + String.join(", ", found) + " times as long.",
        mixes);
  }
}
