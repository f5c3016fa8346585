package dev.upcall.specweb.cli;

import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Says how far a long piece of work is, how fast, and how long yet. */
final class Progress implements LongConsumer {
  private final String what;
  private final long totalBytes;
  private final LongSupplier nanos;
  private final StatusLine line;
  private final long startNanos;
  private long doneBytes;

  Progress(String what, long totalBytes, LongSupplier nanos, StatusLine line) {
    this.what = what;
    this.totalBytes = totalBytes;
    this.nanos = nanos;
    this.line = line;
    startNanos = nanos.getAsLong();
  }

  @Override
  public void accept(long bytes) {
    doneBytes += bytes;
    if (line.isDue()) {
      line.show(text());
    }
  }

  /** Ends with the totals. */
  void finish() {
    line.end(text());
  }

  private String text() {
    double seconds = Math.max(1e-3, (nanos.getAsLong() - startNanos) / 1e9);
    double bytesPerSecond = doneBytes / seconds;
    return String.format(
        Locale.ROOT,
        "%s %d of %d MB, %.0f MB/s, %.0f s left",
        what,
        doneBytes / 1_000_000,
        totalBytes / 1_000_000,
        bytesPerSecond / 1e6,
        bytesPerSecond > 0 ? (totalBytes - doneBytes) / bytesPerSecond : 0);
  }
}
