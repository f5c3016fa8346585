package dev.upcall.bench.report;

import java.util.List;

/** What became of a claim. */
public enum Verdict {
  /** The data say so. */
  HOLDS("holds"),
  /** The data say the contrary. */
  FAILS("fails"),
  /** The data cannot tell, or were not taken. */
  UNDECIDED("undecided");

  private final String word;

  Verdict(String word) {
    this.word = word;
  }

  /** For the page. */
  public String word() {
    return word;
  }

  /** Of a condition that is plainly so or not. */
  public static Verdict of(boolean holds) {
    return holds ? HOLDS : FAILS;
  }

  /** Of several things that must all be so. */
  public static Verdict all(List<Verdict> verdicts) {
    if (verdicts.contains(FAILS)) {
      return FAILS;
    }
    return verdicts.isEmpty() || verdicts.contains(UNDECIDED) ? UNDECIDED : HOLDS;
  }
}
