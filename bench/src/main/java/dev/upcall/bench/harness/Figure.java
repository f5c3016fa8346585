package dev.upcall.bench.harness;

/**
 * Which number of a sample decides a comparison.
 *
 * @param kind how it is computed
 * @param unit what is counted, in the plural
 * @param target the ratio to the peer that is aimed at; NaN for none
 */
public record Figure(Kind kind, String unit, double target) {
  /** How the number is computed. More is better with each. */
  public enum Kind {
    /** Units by elapsed time. */
    PER_SECOND,
    /** Units by processor time of the serving process. */
    PER_CPU_SECOND
  }

  /** By elapsed time, without a target. */
  public static Figure perSecond(String unit) {
    return new Figure(Kind.PER_SECOND, unit, Double.NaN);
  }

  /** By processor time, without a target. */
  public static Figure perCpuSecond(String unit) {
    return new Figure(Kind.PER_CPU_SECOND, unit, Double.NaN);
  }

  /** With a ratio to the peer to aim at. */
  public Figure aimingAt(double ratio) {
    return new Figure(kind, unit, ratio);
  }

  /** The number of a sample; NaN when the sample does not tell. */
  public double of(Sample sample) {
    return switch (kind) {
      case PER_SECOND -> sample.perSecond();
      case PER_CPU_SECOND -> sample.perCpuSecond();
    };
  }

  /** What the number is, for a table's head. */
  public String label() {
    return switch (kind) {
      case PER_SECOND -> unit + "/s";
      case PER_CPU_SECOND -> unit + "/CPU s";
    };
  }
}
