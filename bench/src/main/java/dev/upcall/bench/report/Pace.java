package dev.upcall.bench.report;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Tells how far a run is, and how long it will still take, as far as the pace until now says. */
final class Pace {
  private static final long QUIET_NANOS = 3_000_000_000L;

  private final double plannedSeconds;
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
   */
  Pace(double plannedSeconds, LongSupplier nanoTime, Consumer<String> listener) {
    this.plannedSeconds = plannedSeconds;
    this.nanoTime = nanoTime;
    this.listener = listener;
    this.beginNanos = nanoTime.getAsLong();
    this.spokenNanos = beginNanos - QUIET_NANOS;
  }

  /** The step before is done and another one begins, which is thought to take so long. */
  void step(double seconds, String what) {
    doneSeconds += stepSeconds;
    stepSeconds = seconds;
    long now = nanoTime.getAsLong();
    if (now - spokenNanos < QUIET_NANOS) {
      return;
    }
    spokenNanos = now;
    double elapsed = (now - beginNanos) / 1e9;
    double pace = doneSeconds > 0 ? elapsed / doneSeconds : 1;
    double left = Math.max(0, plannedSeconds - doneSeconds) * pace;
    listener.accept(
        String.format(
            Locale.ROOT,
            "%3.0f %%, about %s left: %s",
            100 * Math.min(1, doneSeconds / plannedSeconds),
            left < 90 ? Math.round(left) + " s" : Math.round(left / 60) + " min",
            what));
  }
}
