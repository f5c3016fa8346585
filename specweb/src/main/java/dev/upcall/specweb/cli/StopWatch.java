package dev.upcall.specweb.cli;

import dev.upcall.specweb.load.LoadPoint;
import dev.upcall.specweb.load.Mode;
import dev.upcall.specweb.run.Watch;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The progress line, and Ctrl-C: the first one ends the run early, and the process stays until what
 * was measured is written.
 */
final class StopWatch implements Watch {
  private static final long PATIENCE_SECONDS = 60;

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch finished = new CountDownLatch(1);
  private final StatusLine line;
  private final Thread hook = Thread.ofPlatform().name("stop").unstarted(this::askAndWait);
  private String title = "";

  StopWatch(StatusLine line) {
    this.line = line;
  }

  /** From now on the process ends only when {@link #finished} was called, or after a minute. */
  void listen() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void askAndWait() {
    ask();
    try {
      finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks for the end. */
  void ask() {
    asked.countDown();
  }

  boolean isAsked() {
    return asked.getCount() == 0;
  }

  /** All is written; the process may end. */
  void finished() {
    finished.countDown();
    if (!isAsked()) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  /** What the lines that follow are about. */
  void title(String text) {
    title = text;
    line.begin(text);
  }

  @Override
  public boolean await(long nanos) throws InterruptedException {
    return !asked.await(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void progress(LoadPoint point, Standing standing) {
    line.show(
        String.format(
            Locale.ROOT,
            "%s, %s: %s, %.0f s left, %d answers, %d errors, %d outstanding",
            title,
            describe(point),
            standing.phase(),
            standing.secondsLeft(),
            standing.right(),
            standing.wrong(),
            standing.outstanding()));
  }

  /** The load in a few words. */
  static String describe(LoadPoint point) {
    return point.mode() == Mode.CLOSED
        ? point.workers() + " clients"
        : String.format(Locale.ROOT, "%.4g ops/s", point.opsPerSecond());
  }

  /** Clears the line. */
  void clear() {
    line.clear();
  }
}
