package dev.upcall.io.trace.text;

import java.io.BufferedReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The lines of a text, counted; what stands behind the last line end is no whole line. */
final class TraceLines implements AutoCloseable {
  /** No line of a trace is nearly as long. */
  private static final int MAX_CHARS = 4096;

  private final BufferedReader text;
  private final String name;
  private final StringBuilder line = new StringBuilder();
  private long number;
  private boolean isCut;

  TraceLines(BufferedReader text, String name) {
    this.text = text;
    this.name = name;
  }

  /** The next whole line; null if there is none. */
  @Nullable String next() throws IOException {
    line.setLength(0);
    number++;
    for (int next = text.read(); next != '\n'; next = text.read()) {
      if (next < 0) {
        isCut = line.length() > 0;
        return null;
      }
      if (line.length() == MAX_CHARS) {
        throw wrong("it is longer than " + MAX_CHARS + " characters");
      }
      line.append((char) next);
    }
    return line.toString();
  }

  /** Whether something stands behind the last line end. */
  String damage() {
    return isCut ? "line " + number + ": the file is cut" : "";
  }

  /** Where the line before stands. */
  String place() {
    return "line " + number;
  }

  /** The line before is none of a trace. */
  IOException wrong(String what) {
    return new IOException("%s: line %d: %s".formatted(name, number, what));
  }

  /** A number of the line before. */
  long number(String digits, String what) throws IOException {
    try {
      long value = Long.parseLong(digits);
      if (value >= 0) {
        return value;
      }
    } catch (NumberFormatException none) {
      throw new IOException(
          "%s: line %d: '%s' is no %s".formatted(name, number, digits, what), none);
    }
    throw wrong("'%s' is no %s".formatted(digits, what));
  }

  @Override
  public void close() throws IOException {
    text.close();
  }
}
