package dev.upcall.bench.report;

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
  static Claim undecided(String id, String said, String why) {
    return new Claim(id, said, Verdict.UNDECIDED, why);
  }
}
