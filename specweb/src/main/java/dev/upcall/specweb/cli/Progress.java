package dev.upcall.specweb.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** A line on the terminal that says how far a long piece of work is, how fast, and how long yet. */
final class Progress implements LongConsumer {
  private static final long INTERVAL_NANOS = 500_000_000;

  private final String what;
  private final long totalBytes;
  private final LongSupplier nanos;
  private final PrintWriter out;
  private final long startNanos;
  private long shownNanos;
  private long doneBytes;

  Progress(String what, long totalBytes, LongSupplier nanos, PrintWriter out) {
    this.what = what;
    this.totalBytes = totalBytes;
    this.nanos = nanos;
    this.out = out;
    startNanos = nanos.getAsLong();
    shownNanos = startNanos;
  }

  @Override
  public void accept(long bytes) {
    doneBytes += bytes;
    long now = nanos.getAsLong();
    if (now - shownNanos >= INTERVAL_NANOS) {
      shownNanos = now;
      show(now);
    }
  }

  /** Ends the line with the totals. */
  void finish() {
    show(nanos.getAsLong());
    out.println();
    out.flush();
  }

  private void show(long now) {
    double seconds = Math.max(1e-3, (now - startNanos) / 1e9);
    double bytesPerSecond = doneBytes / seconds;
    out.printf(
        Locale.ROOT,
        "\r%s %d of %d MB, %.0f MB/s, %.0f s left   ",
        what,
        doneBytes / 1_000_000,
        totalBytes / 1_000_000,
        bytesPerSecond / 1e6,
        bytesPerSecond > 0 ? (totalBytes - doneBytes) / bytesPerSecond : 0);
    out.flush();
  }
}
