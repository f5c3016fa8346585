package dev.upcall.bench.harness;

import java.util.ArrayList;
import java.util.List;

/**
 * Which number of a sample decides a comparison.
 *
 * @param kind how it is computed
 * @param unit what is counted, in the plural
 * @param aims what is expected; none when it is only looked at
 */
public record Figure(Kind kind, String unit, List<Aim> aims) {
  /** Copies the list. */
  public Figure {
    aims = List.copyOf(aims);
  }

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
    P999_MICROS,
    /** The longest latency in microseconds; less is better. */
    LONGEST_MICROS,
    /** The units themselves, of samples that are one quantity; less is better. */
    AMOUNT,
    /** Units by elapsed minutes; more is better. */
    PER_MINUTE,
    /** What is left of the first throughput in the end ({@link Course#kept}); more is better. */
    KEPT;

    /** Whether more is better. */
    boolean wantsMore() {
      return this == PER_SECOND || this == PER_CPU_SECOND || this == PER_MINUTE || this == KEPT;
    }
  }

  /** By elapsed time, without a target. */
  public static Figure perSecond(String unit) {
    return new Figure(Kind.PER_SECOND, unit, List.of());
  }

  /** By elapsed time, each minute, without a target. */
  public static Figure perMinute(String unit) {
    return new Figure(Kind.PER_MINUTE, unit, List.of());
  }

  /** A quantity of which a sample is one, without a target. */
  public static Figure amount(String unit) {
    return new Figure(Kind.AMOUNT, unit, List.of());
  }

  /** By processor time, without a target. */
  public static Figure perCpuSecond(String unit) {
    return new Figure(Kind.PER_CPU_SECOND, unit, List.of());
  }

  /** By the time that each took, without a target. */
  public static Figure millis(String unit) {
    return new Figure(Kind.MILLIS, unit, List.of());
  }

  /** By the 99th percentile of the latency, without a target. */
  public static Figure p99Micros(String unit) {
    return new Figure(Kind.P99_MICROS, unit, List.of());
  }

  /** By the 99.9th percentile of the latency, without a target. */
  public static Figure p999Micros(String unit) {
    return new Figure(Kind.P999_MICROS, unit, List.of());
  }

  /** By the longest latency, without a target. */
  public static Figure longestMicros(String unit) {
    return new Figure(Kind.LONGEST_MICROS, unit, List.of());
  }

  /** Expecting such a ratio to the first peer, besides what is expected already. */
  public Figure aimingAt(double ratio) {
    return aimingAt(Aim.ratio(kind, ratio));
  }

  /** Expecting something more. */
  public Figure aimingAt(Aim aim) {
    List<Aim> more = new ArrayList<>(aims);
    more.add(aim);
    return new Figure(kind, unit, more);
  }

  /** The number of a sample; NaN when the sample does not tell. */
  public double of(Sample sample) {
    return of(kind, sample);
  }

  /** Such a number of a sample; NaN when the sample does not tell. */
  static double of(Kind kind, Sample sample) {
    return switch (kind) {
      case PER_SECOND -> sample.perSecond();
      case PER_CPU_SECOND -> sample.perCpuSecond();
      case MILLIS -> sample.seconds() * 1e3 / sample.units();
      case P99_MICROS -> sample.p99Micros();
      case P999_MICROS -> sample.latencies().p999Micros();
      case LONGEST_MICROS -> sample.latencies().longestMicros();
      case AMOUNT -> sample.units();
      case PER_MINUTE -> sample.perSecond() * 60;
      case KEPT -> sample.course().kept();
    };
  }

  /** What the number is, for a table's head. */
  public String label() {
    return label(kind);
  }

  /** What such a number of the same units is. */
  String label(Kind kind) {
    return switch (kind) {
      case PER_SECOND -> unit + "/s";
      case PER_CPU_SECOND -> unit + "/CPU s";
      case MILLIS -> "ms";
      case P99_MICROS -> "p99 us";
      case P999_MICROS -> "p99.9 us";
      case LONGEST_MICROS -> "longest us";
      case AMOUNT -> unit;
      case PER_MINUTE -> unit + "/min";
      case KEPT -> unit + "/s, last by first half minute";
    };
  }
}
