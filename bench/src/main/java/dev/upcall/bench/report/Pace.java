package dev.upcall.bench.report;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells how far a run is, and how long it will still take, as far as the pace until now says; and
 * whether that is more than it may.
 */
public final class Pace {
  private static final long QUIET_NANOS = 3_000_000_000L;

  /** The plan counts as much as this part of it: the first steps say little of the pace. */
  private static final double TRUST = 0.05;

  /** Of what is only planned: it tells nobody. */
  static final Pace NONE = new Pace(1, Double.MAX_VALUE, System::nanoTime, _ -> {});

  private final double plannedSeconds;
  private final double mostSeconds;
  private final LongSupplier nanoTime;
  private final Consumer<String> listener;
  private final long beginNanos;
  private long spokenNanos;
  private double doneSeconds;
  private double stepSeconds;

  /**
   * A run begins.
   *
   * @param plannedSeconds what all steps are thought to take
   * @param mostSeconds what the run may take
   */
  public Pace(
      double plannedSeconds, double mostSeconds, LongSupplier nanoTime, Consumer<String> listener) {
    this.plannedSeconds = plannedSeconds;
    this.mostSeconds = mostSeconds;
    this.nanoTime = nanoTime;
    this.listener = listener;
    this.beginNanos = nanoTime.getAsLong();
    this.spokenNanos = beginNanos - QUIET_NANOS;
  }

  /** The step before is done and another one begins, which is thought to take so long. */
  public void step(double seconds, String what) {
    doneSeconds += stepSeconds;
    stepSeconds = seconds;
    long now = nanoTime.getAsLong();
    if (now - spokenNanos < QUIET_NANOS) {
      return;
    }
    spokenNanos = now;
    double elapsed = elapsedSeconds(now);
    double trust = TRUST * plannedSeconds;
    double pace = (elapsed + trust) / (doneSeconds + trust);
    double left = leftSeconds() * pace;
    listener.accept(
        String.format(
            Locale.ROOT,
            "%3.0f %%, about %s left: %s",
            100 * Math.min(1, doneSeconds / plannedSeconds),
            words(left),
            what));
  }

  /** Steps that were planned are left out. */
  void skip(double seconds) {
    doneSeconds += seconds;
  }

  /**
   * Whether the run takes longer than it may if the rest takes what was planned. Warm-ups end
   * before their time when processes are warm, so that the plan is rather too long.
   */
  boolean isLate() {
    return elapsedSeconds(nanoTime.getAsLong()) + leftSeconds() - stepSeconds > mostSeconds;
  }

  private double elapsedSeconds(long now) {
    return (now - beginNanos) / 1e9;
  }

  private double leftSeconds() {
    return Math.max(0, plannedSeconds - doneSeconds);
  }

  /** A time for people. */
  public static String words(double seconds) {
    return seconds < 90 ? Math.round(seconds) + " s" : Math.round(seconds / 60) + " min";
  }
}
