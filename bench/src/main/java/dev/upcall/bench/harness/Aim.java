package dev.upcall.bench.harness;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is expected of a row: a number, or how its number stands to a peer's. Where more is better
 * it is the least that is expected, else the most.
 *
 * @param kind of which number
 * @param basis what it is compared with
 * @param row whose; empty for the first of ours
 * @param peer with whose number; empty for the first peer
 * @param value the number or the ratio
 */
public record Aim(Figure.Kind kind, Basis basis, String row, String peer, double value) {
  /** The best of all our rows, as a row's name. */
  private static final String BEST = "the best of ours";

  /** What a number is compared with. */
  public enum Basis {
    /** Nothing: it is expected as it is. */
    NOTHING,
    /** The median of a peer. */
    MEDIAN,
    /** The sample of a peer in the same round, and in each of them. */
    EACH_ROUND
  }

  /** A ratio of medians, of the first of ours to the first peer. */
  public static Aim ratio(Figure.Kind kind, double ratio) {
    return new Aim(kind, Basis.MEDIAN, "", "", ratio);
  }

  /** A median of the first of ours. */
  public static Aim number(Figure.Kind kind, double number) {
    return new Aim(kind, Basis.NOTHING, "", "", number);
  }

  /** The same of another row. */
  public Aim of(String other) {
    return new Aim(kind, basis, other, peer, value);
  }

  /** The same of the best of our rows. */
  public Aim ofBest() {
    return of(BEST);
  }

  /** The same beside another peer, or another row. */
  public Aim beside(String other) {
    return new Aim(kind, basis, row, other, value);
  }

  /** The same of the samples of each round. */
  public Aim inEachRound() {
    return new Aim(kind, Basis.EACH_ROUND, row, peer, value);
  }

  /**
   * What has become of it.
   *
   * @param words what was expected of whom, and what came
   * @param reached the number or the ratio; in rounds the worst; NaN when it is not known
   * @param held whether it is as expected
   */
  public record Result(Aim aim, String words, double reached, boolean held) {
    /** In a word. */
    public String verdict() {
      return Double.isNaN(reached) ? "not known" : held ? "held" : "MISSED";
    }
  }

  /** Looks at what was measured. */
  Result in(Outcome outcome) {
    Outcome.Row ours = ours(outcome);
    Outcome.Row theirs = basis == Basis.NOTHING ? ours : peer(outcome);
    double reached = ours == null || theirs == null ? Double.NaN : reached(ours, theirs);
    boolean held = kind.wantsMore() ? reached >= value : reached <= value;
    return new Result(this, words(outcome, ours, theirs, reached), reached, held);
  }

  private double reached(Outcome.Row ours, Outcome.Row theirs) {
    return switch (basis) {
      case NOTHING -> median(ours);
      case MEDIAN -> median(ours) / median(theirs);
      case EACH_ROUND -> {
        Statistics rounds = Outcome.pairs(kind, ours, theirs);
        yield rounds == null ? Double.NaN : kind.wantsMore() ? rounds.least() : rounds.most();
      }
    };
  }

  private double median(Outcome.Row row) {
    return row.median(sample -> Figure.of(kind, sample));
  }

  private Outcome.@Nullable Row ours(Outcome outcome) {
    if (!row.equals(BEST)) {
      return row.isEmpty() ? outcome.firstRow(Role.OURS) : outcome.row(row);
    }
    Outcome.Row best = null;
    for (Outcome.Row one : outcome.measured(Role.OURS)) {
      if (best == null || (median(one) > median(best)) == kind.wantsMore()) {
        best = one;
      }
    }
    return best;
  }

  private Outcome.@Nullable Row peer(Outcome outcome) {
    return peer.isEmpty() ? outcome.firstRow(Role.PEER) : outcome.row(peer);
  }

  private String words(
      Outcome outcome, Outcome.@Nullable Row ours, Outcome.@Nullable Row theirs, double reached) {
    String number = outcome.comparison().figure().label(kind);
    String limit = kind.wantsMore() ? "at least" : "at most";
    String whose = name(ours, row, Role.OURS);
    String expected =
        basis == Basis.NOTHING
            ? String.format(Locale.ROOT, "%s %s", limit, Numbers.show(value))
            : String.format(
                Locale.ROOT,
                "%s %s times %s%s",
                limit,
                Numbers.ratio(value),
                name(theirs, peer, Role.PEER),
                basis == Basis.EACH_ROUND ? " in each round" : "");
    String came = basis == Basis.NOTHING ? Numbers.show(reached) : Numbers.ratio(reached);
    if (basis == Basis.MEDIAN && ours != null && theirs != null) {
      came += " (%s beside %s)".formatted(Numbers.show(median(ours)), Numbers.show(median(theirs)));
    }
    return String.join(" ", List.of(number, "of", whose + ":", expected + ",", "is", came));
  }

  private static String name(Outcome.@Nullable Row found, String wanted, Role role) {
    if (found != null) {
      return found.entrant().name();
    }
    return wanted.isEmpty() ? "(no " + role.name().toLowerCase(Locale.ROOT) + ")" : wanted;
  }
}
