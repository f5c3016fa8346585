package dev.upcall.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The conditions of one claim, a row for each figure with its bound. A figure of several seeds is
 * so when it is so for each of them, and not so when their mean is not; anything between decides
 * nothing.
 */
public final class Judgement {
  private final List<String> found = new ArrayList<>();
  private final List<String> missed = new ArrayList<>();
  private final List<String> doubtful = new ArrayList<>();
  private final String undecided;
  private final boolean isBrief;
  private String lead = "";

  /**
   * Nothing was looked at yet.
   *
   * @param decides whether figures of this size decide anything
   */
  public Judgement(boolean decides) {
    this(decides ? "" : "tables and runs of this size are too small");
  }

  /**
   * Nothing was looked at yet.
   *
   * @param undecided why the figures decide nothing; empty if they do
   */
  public Judgement(String undecided) {
    this(undecided, /* isBrief= */ false);
  }

  private Judgement(String undecided, boolean isBrief) {
    this.undecided = undecided;
    this.isBrief = isBrief;
  }

  /** One whose claim is found in means, and a verdict if there is one, to stand beside others. */
  public static Judgement brief(boolean decides) {
    return new Judgement(decides ? "" : "too small", /* isBrief= */ true);
  }

  /** The beginning of a sentence that names the figures before they come. */
  public Judgement about(String what) {
    lead = what + ": ";
    return this;
  }

  /** Figures that must lie in a band, ends included. */
  public Judgement within(String what, List<Double> figures, double low, double high) {
    String shown = "%s %s".formatted(what, show(figures));
    found.add(isBrief ? show(mean(figures)) : shown);
    String band =
        high == Double.MAX_VALUE
            ? "at least " + show(low)
            : "%s to %s".formatted(show(low), show(high));
    String miss = "%s, not %s".formatted(shown, band);
    double mean = mean(figures);
    if (!(mean >= low && mean <= high)) {
      missed.add(miss);
    } else if (!figures.stream().allMatch(one -> one >= low && one <= high)) {
      doubtful.add(miss);
    }
    return this;
  }

  /** A figure that must lie in a band, ends included. */
  public Judgement within(String what, double figure, double low, double high) {
    return within(what, List.of(figure), low, high);
  }

  /** Figures that must be at least something. */
  public Judgement atLeast(String what, List<Double> figures, double least) {
    return within(what, figures, least, Double.MAX_VALUE);
  }

  /** A figure that must be at least something. */
  public Judgement atLeast(String what, double figure, double least) {
    return atLeast(what, List.of(figure), least);
  }

  /** Something that is plainly so or not, and is said in any case. */
  public Judgement expect(boolean isSo, String what) {
    return show(what).need(isSo, what);
  }

  /** Something that must be so; {@code otherwise} is said when it is not. */
  public Judgement need(boolean isSo, String otherwise) {
    if (!isSo) {
      missed.add(otherwise);
    }
    return this;
  }

  /** A figure that must be below another; both are said when it is not. */
  public Judgement below(String what, double figure, String other, double than) {
    return need(
        figure < than, "%s %s, not below %s %s".formatted(what, show(figure), other, show(than)));
  }

  /** Figures without a bound. */
  public Judgement show(String what) {
    found.add(what);
    return this;
  }

  /** The verdict on the claim. */
  public Claim claim(String id, String said) {
    return claim(id, said, "");
  }

  /**
   * The verdict on the claim.
   *
   * @param why what explains a miss; said only when there is one
   */
  public Claim claim(String id, String said, String why) {
    if (isBrief) {
      Verdict verdict =
          missed.isEmpty()
              ? (doubtful.isEmpty() ? Verdict.HOLDS : Verdict.UNDECIDED)
              : Verdict.FAILS;
      String means = String.join(" and ", found);
      return undecided.isEmpty()
          ? new Claim(id, said, verdict, means + " " + verdict.word())
          : Claim.undecided(id, said, means);
    }
    String all = capital(lead + String.join("; ", found)) + ".";
    if (!undecided.isEmpty()) {
      return Claim.undecided(id, said, "%s This decides nothing: %s.".formatted(all, undecided));
    }
    if (!missed.isEmpty()) {
      String reason = why.isEmpty() ? "" : " " + why;
      return new Claim(
          id, said, Verdict.FAILS, all + " Not so: " + String.join("; ", missed) + "." + reason);
    }
    if (!doubtful.isEmpty()) {
      return Claim.undecided(
          id, said, all + " Not so for every seed: " + String.join("; ", doubtful) + ".");
    }
    return new Claim(id, said, Verdict.HOLDS, all);
  }

  private static String capital(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  /** The mean; NaN of nothing. */
  public static double mean(List<Double> figures) {
    return figures.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  /** One figure, or the mean of several with their ends. */
  public static String show(List<Double> figures) {
    double least = figures.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
    double most = figures.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
    return show(least).equals(show(most))
        ? show(least)
        : "%s (%s to %s)".formatted(show(mean(figures)), show(least), show(most));
  }

  /** A figure for a sentence. */
  public static String show(double figure) {
    String format = Math.abs(figure) < 10 ? "%.3f" : Math.abs(figure) < 1000 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, figure);
  }
}
