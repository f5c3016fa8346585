package dev.upcall.specweb.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * How far something is: one line that is drawn again and again on a terminal; elsewhere, as in a
 * log, a line of its own every few seconds.
 */
final class StatusLine {
  private static final long TERMINAL_NANOS = 500_000_000;
  private static final long LOG_NANOS = 5_000_000_000L;
  private static final int WIDTH = 78;

  private final PrintWriter out;
  private final boolean isTerminal;
  private final LongSupplier nanos;
  private long shownNanos;

  /** A line that ends up on standard error, which may be a terminal. */
  StatusLine(PrintWriter out) {
    this(out, errorsGoToATerminal(), System::nanoTime);
  }

  StatusLine(PrintWriter out, boolean isTerminal, LongSupplier nanos) {
    this.out = out;
    this.isTerminal = isTerminal;
    this.nanos = nanos;
    shownNanos = nanos.getAsLong();
  }

  private static boolean errorsGoToATerminal() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException unknown) {
      return false;
    }
  }

  /** Something new begins: a line of its own, but on a terminal, where the next text says it. */
  void begin(String text) {
    if (!isTerminal) {
      line(text);
    }
  }

  /** Whether it is time for another text. */
  boolean isDue() {
    return nanos.getAsLong() - shownNanos >= (isTerminal ? TERMINAL_NANOS : LOG_NANOS);
  }

  /** Shows a text, if it is time. */
  void show(String text) {
    if (isDue()) {
      if (isTerminal) {
        draw(text);
      } else {
        line(text);
      }
    }
  }

  /** Clears what was drawn. */
  void clear() {
    if (isTerminal) {
      draw("");
      out.print('\r');
      out.flush();
    }
  }

  /** The last text, which stays. */
  void end(String text) {
    if (isTerminal) {
      draw(text);
      out.println();
      out.flush();
    } else {
      line(text);
    }
  }

  private void draw(String text) {
    shownNanos = nanos.getAsLong();
    out.printf("\r%-" + WIDTH + "s", text);
    out.flush();
  }

  private void line(String text) {
    shownNanos = nanos.getAsLong();
    out.println(text);
    out.flush();
  }
}
