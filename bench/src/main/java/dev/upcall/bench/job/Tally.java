package dev.upcall.bench.job;

import dev.upcall.bench.harness.Timeline;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/** What was done in a run. One thread at a time. */
public final class Tally {
  private static final long MAX_NANOS = 60_000_000_000L;
  private static final int DIGITS = 2;

  private final Histogram latencies = new Histogram(MAX_NANOS, DIGITS);
  private final long beginNanos = System.nanoTime();
  private final Peaks peaks = new Peaks(beginNanos);
  private final Rates rates = new Rates(beginNanos);
  private long units;
  private long sumNanos;
  private long endNanos;
  private String remarks = "";

  /** A run that begins now. */
  public Tally() {}

  /**
   * A run that is over.
   *
   * @param units how much was done
   * @param sumNanos the latencies added up
   * @param windowNanos how long the run was
   * @param latencies of each
   */
  public Tally(long units, long sumNanos, long windowNanos, Histogram latencies) {
    this.units = units;
    this.sumNanos = sumNanos;
    this.endNanos = beginNanos + windowNanos;
    this.latencies.add(latencies);
  }

  /** Counts something that was done, with the time it took and when it had ended. */
  public void add(long count, long nanos, long endedNanos) {
    units += count;
    sumNanos += nanos;
    latencies.recordValue(Math.clamp(nanos, 0, MAX_NANOS));
    peaks.add(nanos, endedNanos);
    rates.add(count, endedNanos);
  }

  /** Counts something whose time nobody asks for. */
  public void count(long more) {
    units += more;
  }

  /** Counts what another thread did in the same run. */
  public void add(Tally other) {
    units += other.units;
    sumNanos += other.sumNanos;
    latencies.add(other.latencies);
    peaks.add(other.peaks);
    rates.add(other.rates);
  }

  /** How much was done. */
  public long units() {
    return units;
  }

  /** The latencies added up. */
  public long sumNanos() {
    return sumNanos;
  }

  /** The run is over. */
  public void end() {
    endNanos = System.nanoTime();
  }

  /**
   * More of the run, each unit on average, in the form of {@link dev.upcall.bench.harness.Fields};
   * it is shown as it is.
   */
  public Tally remark(String words) {
    remarks = words;
    return this;
  }

  /** The same, to be formatted. */
  public Tally remark(String format, Object... figures) {
    return remark(String.format(Locale.ROOT, format, figures));
  }

  /** The remarks; may be empty. */
  public String remarks() {
    return remarks;
  }

  /** The longest of each so many milliseconds since the begin, a multiple of ten. */
  public Timeline peaks(int stepMillis) {
    return peaks.timeline(stepMillis);
  }

  /** How much of what was {@linkplain #add counted with its time} ended in each second. */
  public List<Long> ofEachSecond() {
    return rates.ofEachSecond();
  }

  /** For the parent. */
  public String describe() {
    return describe("");
  }

  /** The same with something in front of each key. */
  public String describe(String prefix) {
    return String.format(
        Locale.ROOT,
        "%1$sunits=%2$d %1$snanos=%3$d %1$smean=%4$.2f %1$sp50=%5$.1f %1$sp99=%6$.1f"
            + " %1$sp999=%7$.1f %1$slongest=%8$.1f",
        prefix,
        units,
        endNanos - beginNanos,
        latencies.getTotalCount() == 0 ? 0 : sumNanos / 1e3 / latencies.getTotalCount(),
        latencies.getValueAtPercentile(50) / 1e3,
        latencies.getValueAtPercentile(99) / 1e3,
        latencies.getValueAtPercentile(99.9) / 1e3,
        latencies.getMaxValue() / 1e3);
  }
}
