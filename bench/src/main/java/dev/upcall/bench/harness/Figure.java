package dev.upcall.bench.harness;

/**
 * Which number of a sample decides a comparison.
 *
 * @param kind how it is computed
 * @param unit what is counted, in the plural
 * @param target the ratio to the peer that is aimed at; NaN for none
 */
public record Figure(Kind kind, String unit, double target) {
  /** How the number is computed. */
  public enum Kind {
    /** Units by elapsed time; more is better. */
    PER_SECOND,
    /** Units by processor time of the serving process; more is better. */
    PER_CPU_SECOND,
    /** Milliseconds that a unit took; less is better. */
    MILLIS,
    /** The 99th percentile of the latency in microseconds; less is better. */
    P99_MICROS,
    /** The 99.9th percentile of the latency in microseconds; less is better. */
    P999_MICROS
  }

  /** By elapsed time, without a target. */
  public static Figure perSecond(String unit) {
    return new Figure(Kind.PER_SECOND, unit, Double.NaN);
  }

  /** By processor time, without a target. */
  public static Figure perCpuSecond(String unit) {
    return new Figure(Kind.PER_CPU_SECOND, unit, Double.NaN);
  }

  /** By the time that each took, without a target. */
  public static Figure millis(String unit) {
    return new Figure(Kind.MILLIS, unit, Double.NaN);
  }

  /** By the 99th percentile of the latency, without a target. */
  public static Figure p99Micros(String unit) {
    return new Figure(Kind.P99_MICROS, unit, Double.NaN);
  }

  /** By the 99.9th percentile of the latency, without a target. */
  public static Figure p999Micros(String unit) {
    return new Figure(Kind.P999_MICROS, unit, Double.NaN);
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
      case MILLIS -> sample.seconds() * 1e3 / sample.units();
      case P99_MICROS -> sample.p99Micros();
      case P999_MICROS -> sample.latencies().p999Micros();
    };
  }

  /** What the number is, for a table's head. */
  public String label() {
    return switch (kind) {
      case PER_SECOND -> unit + "/s";
      case PER_CPU_SECOND -> unit + "/CPU s";
      case MILLIS -> "ms";
      case P99_MICROS -> "p99 us";
      case P999_MICROS -> "p99.9 us";
    };
  }
}
