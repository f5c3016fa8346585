package dev.upcall.bench.largeobject.study;

import dev.upcall.bench.report.Claim;
import dev.upcall.bench.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What is looked at for one claim, and what of it is not so. */
final class Findings {
  private final List<String> missed = new ArrayList<>();

  /** One thing that must be so. */
  Findings expect(boolean isSo, String what) {
    if (!isSo) {
      missed.add(what);
    }
    return this;
  }

  /** A figure that must lie in a band, ends included. */
  Findings within(String what, double figure, double low, double high) {
    return expect(
        figure >= low && figure <= high,
        "%s is %s, not %s to %s".formatted(what, show(figure), show(low), show(high)));
  }

  /** What becomes of the claim. */
  Claim claim(String id, String said, String found) {
    String all = missed.isEmpty() ? found : found + " Not so: " + String.join("; ", missed) + ".";
    return new Claim(id, said, missed.isEmpty() ? Verdict.HOLDS : Verdict.FAILS, all);
  }

  /** The same of figures that a mix leads to, which too few operations do not decide. */
  Claim claim(String id, String said, String found, Mixes mixes) {
    return claim(id, said, found, mixes.operations());
  }

  /** The same of a mix of so many operations. */
  Claim claim(String id, String said, String found, int operations) {
    Claim claim = claim(id, said, found);
    return operations >= StudySize.PAPER_OPERATIONS
        ? claim
        : Claim.undecided(
            id,
            said,
            "%s This decides nothing: the paper made %,d operations, this run %,d."
                .formatted(claim.found(), StudySize.PAPER_OPERATIONS, operations));
  }

  /** A figure for a sentence: parts of one with three digits, others with those that count. */
  static String show(double figure) {
    String format = Math.abs(figure) < 10 ? "%.3f" : Math.abs(figure) < 1000 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, figure);
  }
}
