package dev.upcall.bench.largeobject.study;

import dev.upcall.FileInfo;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What the mix on an object of the store has shown.
 *
 * @param ran the operations
 * @param scanBefore MiB a second from the device before them
 * @param scanAfter the same behind them
 */
record StoreMark(Ran ran, double scanBefore, double scanAfter) {
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Operations that were done one after the other.
   *
   * @param nanos of all together
   * @param latencies of each kind, nanoseconds
   * @param insertedBytes what inserts have brought
   * @param writtenBytes what the device was given, until all had its place
   * @param file as it was then
   */
  record Ran(
      long nanos,
      Map<Operations.Kind, Histogram> latencies,
      long insertedBytes,
      long writtenBytes,
      FileInfo file) {}

  /** How many operations a second there were. */
  double perSecond() {
    long operations = ran.latencies().values().stream().mapToLong(Histogram::getTotalCount).sum();
    return operations * NANOS_PER_SECOND / ran.nanos();
  }

  /** The response time that so many per cent of a kind do not exceed, microseconds. */
  double micros(Operations.Kind kind, double percent) {
    Histogram all = ran.latencies().get(kind);
    return all == null || all.getTotalCount() == 0
        ? Double.NaN
        : all.getValueAtPercentile(percent) / NANOS_PER_MICRO;
  }

  /** Bytes that the device was given for each that inserts have brought. */
  double amplification() {
    return (double) ran.writtenBytes() / ran.insertedBytes();
  }

  /** The part of its blocks that content fills; pages of trees are not among them. */
  double utilization() {
    return (double) ran.file().sizeBytes() / ran.file().stored().bytes();
  }

  /** Ranges that make up the content. */
  long pieces() {
    return ran.file().stored().pieces();
  }

  /** How much of the speed of a scan is left. */
  double scanLeft() {
    return scanAfter / scanBefore;
  }
}
