package dev.upcall.cli.shell;

import dev.upcall.cli.option.Sizes;
import dev.upcall.trees.TreeProgress;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Shows on standard error how far a transfer is: one line that is drawn again on a terminal, else a
 * line every few seconds. Has a thread of its own until it is closed.
 */
public final class ProgressLine implements AutoCloseable {
  private static final long TERMINAL_MILLIS = 200;
  private static final long LOG_MILLIS = 5000;
  private static final String CLEAR = "\r\u001b[K";

  private final Shell shell;
  private final String verb;
  private final TreeProgress meter;
  private final long startNanos = System.nanoTime();
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread;

  /** Begins to show. */
  public ProgressLine(Shell shell, String verb, TreeProgress meter) {
    this.shell = shell;
    this.verb = verb;
    this.meter = meter;
    this.thread = Thread.ofPlatform().daemon().name("progress").unstarted(this::run);
    try {
      thread.start();
    } catch (OutOfMemoryError noThread) {
      // The work goes on without being watched.
      over.countDown();
    }
  }

  private void run() {
    boolean drawn = false;
    try {
      while (!over.await(
          shell.interactive() ? TERMINAL_MILLIS : LOG_MILLIS, TimeUnit.MILLISECONDS)) {
        String line = line(meter, System.nanoTime() - startNanos);
        if (shell.interactive()) {
          shell.err().print(CLEAR + verb + ": " + line);
          shell.err().flush();
          drawn = true;
        } else {
          shell.say(verb + ": " + line);
        }
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
    if (drawn) {
      shell.err().print(CLEAR);
      shell.err().flush();
    }
  }

  /** The text for a moment. */
  static String line(TreeProgress meter, long nanos) {
    long entries = meter.entriesDone();
    long bytes = meter.bytesDone();
    double seconds = Math.max(1e-3, nanos / 1e9);
    StringBuilder text = new StringBuilder();
    long allEntries = meter.totalEntries();
    if (allEntries > 0) {
      double part = Math.min(1, work(entries, bytes) / work(allEntries, meter.totalBytes()));
      text.append(String.format(Locale.ROOT, "%3.0f%%  ", Math.floor(part * 100)));
    }
    text.append(entries);
    if (allEntries > 0) {
      text.append('/').append(allEntries);
    }
    text.append(" entries, ").append(Sizes.show(bytes));
    if (meter.totalBytes() > 0) {
      text.append(" of ").append(Sizes.show(meter.totalBytes()));
    }
    text.append(String.format(Locale.ROOT, ", %.1f MB/s", bytes / 1e6 / seconds));
    text.append(String.format(Locale.ROOT, ", %.0f entries/s", entries / seconds));
    if (allEntries > 0 && entries > 0) {
      double done = work(entries, bytes);
      double left = Math.max(0, work(allEntries, meter.totalBytes()) - done);
      text.append(", ").append(duration(Math.round(left / done * seconds))).append(" left");
    }
    return text.toString();
  }

  /** An entry costs as much as some bytes do. */
  private static double work(long entries, long bytes) {
    return entries * 32768.0 + bytes;
  }

  /** A duration for a person. */
  static String duration(long seconds) {
    if (seconds < 60) {
      return seconds + " s";
    }
    return seconds < 3600
        ? "%d:%02d min".formatted(seconds / 60, seconds % 60)
        : "%d:%02d h".formatted(seconds / 3600, seconds / 60 % 60);
  }

  /** Ends the showing and clears the line. */
  @Override
  public void close() {
    over.countDown();
    try {
      thread.join();
    } catch (InterruptedException during) {
      Thread.currentThread().interrupt();
    }
  }
}
