package dev.upcall.bench.report;

import dev.upcall.bench.harness.Numbers;
import java.util.List;

/**
 * Something that the report said, and what we find.
 *
 * @param id its name among the project's acceptance figures
 * @param said what the report said, and what is taken as its limit here
 * @param verdict whether that is so here
 * @param found one sentence made from the data
 */
public record Claim(String id, String said, Verdict verdict, String found) {
  /** One that the data of this run do not reach. */
  public static Claim undecided(String id, String said, String why) {
    return new Claim(id, said, Verdict.UNDECIDED, why);
  }

  /** The same with more beside what was found. */
  public Claim and(String more) {
    return more.isEmpty() ? this : new Claim(id, said, verdict, found + " " + more);
  }

  /** The same; undecided when the compiler still worked while one of these points was measured. */
  public Claim from(List<Point> points) {
    return compiling(points.stream().mapToDouble(Point::compiling).max().orElse(0));
  }

  /** The same; undecided when the compiler took so much of a core that it was measured, too. */
  public Claim compiling(double part) {
    if (!(part > Point.MOST_COMPILING) || verdict == Verdict.UNDECIDED) {
      return this;
    }
    String doubt =
        " This decides nothing: the compiler still took %s of a core meanwhile."
            .formatted(Numbers.percent(part));
    return new Claim(id, said, Verdict.UNDECIDED, found + doubt);
  }
}
