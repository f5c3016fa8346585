package dev.upcall.specweb.load;

import dev.upcall.specweb.FileSet;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Counts the operations of one loop: between {@link #open} and {@link #close} those that end, and
 * errors also while the rest drains. Its size does not depend on how many they are.
 */
public final class Recorder {
  private final long[] classes = new long[FileSet.CLASSES];
  private final Map<Fault, Reading.Faults> faults = new EnumMap<>(Fault.class);
  private final Histogram response = Reading.histogram();
  private boolean isOpen;
  private boolean drains;
  private long openNanos;
  private long windowNanos;
  private int outstanding;
  private double outstandingNanos;
  private long changedNanos;
  private long right;
  private long bytes;
  private long rightNanos;
  private long ended;
  private long endedNanos;
  private long lateNanos;

  /**
   * A request that was sent.
   *
   * @param entry what it asks for
   * @param intendedNanos when it should have been sent
   * @param startNanos when it was
   */
  record Operation(FileSet.Entry entry, long intendedNanos, long startNanos) {}

  /** How many requests are outstanding now. */
  public int outstanding() {
    return outstanding;
  }

  /** Operations that have ended well since the window was opened; for the progress line. */
  public long right() {
    return right;
  }

  /** Errors since the window was opened. */
  public long wrong() {
    return faults.values().stream().mapToLong(Reading.Faults::count).sum();
  }

  void issued(long nowNanos) {
    advance(nowNanos);
    outstanding++;
  }

  void overflowed() {
    fault(Fault.OVERFLOW, "more outstanding than allowed");
  }

  void answered(Operation operation, Answer answer, long nowNanos) {
    advance(nowNanos);
    outstanding--;
    if (isOpen) {
      outstandingNanos -= Math.max(0, nowNanos - Math.max(answer.endNanos(), openNanos));
      long nanos = Math.max(0, answer.endNanos() - operation.startNanos());
      ended++;
      endedNanos += nanos;
      if (answer.fault() == null) {
        right(operation, answer, nanos);
      }
    }
    if (answer.fault() != null) {
      fault(answer.fault(), "/" + operation.entry().path() + ": " + answer.detail());
    }
  }

  private void right(Operation operation, Answer answer, long nanos) {
    right++;
    rightNanos += nanos;
    bytes += operation.entry().sizeBytes();
    classes[operation.entry().sizeClass()]++;
    lateNanos += Math.max(0, operation.startNanos() - operation.intendedNanos());
    long sinceIntended = Math.max(0, answer.endNanos() - operation.intendedNanos());
    response.recordValue(Math.min(sinceIntended, Reading.LONGEST_NANOS));
  }

  private void fault(Fault fault, String example) {
    if (isOpen || drains) {
      faults.merge(fault, new Reading.Faults(1, example), Reading.Faults::plus);
    }
  }

  /** The window begins; what ended before does not count. */
  public void open(long nowNanos) {
    advance(nowNanos);
    outstandingNanos = 0;
    right = 0;
    bytes = 0;
    rightNanos = 0;
    ended = 0;
    endedNanos = 0;
    lateNanos = 0;
    Arrays.fill(classes, 0);
    faults.clear();
    response.reset();
    openNanos = nowNanos;
    isOpen = true;
  }

  /** The window ends; errors of what is outstanding still count. */
  public void close(long nowNanos) {
    advance(nowNanos);
    isOpen = false;
    drains = true;
    windowNanos = nowNanos - openNanos;
  }

  /** What was counted; after {@link #close}. */
  public Reading reading() {
    double seconds = Math.max(1, windowNanos) / 1e9;
    return new Reading(
        new Reading.Operations(right, bytes, rightNanos / 1e9, lateNanos / 1e9),
        new Reading.Flow(seconds, ended, endedNanos / 1e9, outstandingNanos / 1e9 / seconds),
        Arrays.stream(classes).boxed().toList(),
        new EnumMap<>(faults),
        response.copy());
  }

  private void advance(long nowNanos) {
    if (isOpen) {
      outstandingNanos += (double) outstanding * (nowNanos - changedNanos);
    }
    changedNanos = nowNanos;
  }
}
