package dev.upcall.specweb.load;

import dev.upcall.specweb.FileSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What was counted in one window.
 *
 * @param operations those that ended well
 * @param flow all that ended, for Little's law
 * @param classes how many of {@code operations} asked for each size class
 * @param faults errors by kind
 * @param response nanoseconds from the intended start to the last byte, of those that ended well
 */
public record Reading(
    Operations operations,
    Flow flow,
    List<Long> classes,
    Map<Fault, Faults> faults,
    Histogram response) {
  /** What a histogram can hold; more counts as this much. */
  static final long LONGEST_NANOS = 3_600_000_000_000L;

  private static final long SHORTEST_NANOS = 1_000;
  private static final int DIGITS = 3;

  /**
   * Operations that ended well.
   *
   * @param count how many
   * @param bytes of their bodies
   * @param seconds from their real starts to their last bytes, added up
   * @param lateSeconds from the intended to the real starts, added up
   */
  public record Operations(long count, long bytes, double seconds, double lateSeconds) {
    private Operations plus(Operations other) {
      return new Operations(
          count + other.count,
          bytes + other.bytes,
          seconds + other.seconds,
          lateSeconds + other.lateSeconds);
    }

    /** Milliseconds from the real start to the last byte on average; 0 when there is none. */
    public double meanMillis() {
      return count == 0 ? 0 : seconds / count * 1e3;
    }
  }

  /**
   * All operations that ended in the window, well or not.
   *
   * @param windowSeconds how long the window was
   * @param ended how many
   * @param seconds from their real starts to their ends, added up
   * @param meanOutstanding how many were outstanding on average, from a count over time
   */
  public record Flow(double windowSeconds, long ended, double seconds, double meanOutstanding) {
    /** By how much N = X R fails: |N - X R| / N; 0 when nothing was outstanding. */
    public double littleResidual() {
      double product = seconds / windowSeconds;
      return meanOutstanding > 0 ? Math.abs(meanOutstanding - product) / meanOutstanding : 0;
    }

    private Flow plus(Flow other) {
      return new Flow(
          Math.max(windowSeconds, other.windowSeconds),
          ended + other.ended,
          seconds + other.seconds,
          meanOutstanding + other.meanOutstanding);
    }
  }

  /**
   * Errors of one kind.
   *
   * @param count how many
   * @param example the first of them
   */
  public record Faults(long count, String example) {
    Faults plus(Faults other) {
      return new Faults(count + other.count, example);
    }
  }

  static Histogram histogram() {
    return new Histogram(SHORTEST_NANOS, LONGEST_NANOS, DIGITS);
  }

  /** Operations per second that ended well. */
  public double opsPerSecond() {
    return operations.count / flow.windowSeconds;
  }

  /** How many errors there were. */
  public long errors() {
    return faults.values().stream().mapToLong(Faults::count).sum();
  }

  /** A percentile of the response time from the intended start. */
  public double percentileMillis(double percentile) {
    return response.getValueAtPercentile(percentile) / 1e6;
  }

  /** The longest response time from the intended start. */
  public double maxMillis() {
    return response.getMaxValue() / 1e6;
  }

  /** The readings of several loops over the same window as one. */
  public static Reading sum(List<Reading> readings) {
    Operations operations = new Operations(0, 0, 0, 0);
    Flow flow = new Flow(0, 0, 0, 0);
    List<Long> classes = new ArrayList<>(java.util.Collections.nCopies(FileSet.CLASSES, 0L));
    Map<Fault, Faults> faults = new EnumMap<>(Fault.class);
    Histogram response = histogram();
    for (Reading one : readings) {
      operations = operations.plus(one.operations);
      flow = flow.plus(one.flow);
      for (int i = 0; i < FileSet.CLASSES; i++) {
        classes.set(i, classes.get(i) + one.classes.get(i));
      }
      one.faults.forEach((fault, some) -> faults.merge(fault, some, Faults::plus));
      response.add(one.response);
    }
    return new Reading(operations, flow, List.copyOf(classes), faults, response);
  }
}
