package dev.upcall.specweb.load;

import org.jspecify.annotations.Nullable;

/**
 * The end of a request.
 *
 * @param endNanos when its last byte was there, or when it failed
 * @param fault what was wrong, or null
 * @param detail what exactly, for people; empty when nothing was wrong
 */
public record Answer(long endNanos, @Nullable Fault fault, String detail) {
  /** The right answer. */
  public static Answer right(long endNanos) {
    return new Answer(endNanos, null, "");
  }

  /** A wrong answer or none. */
  public static Answer wrong(long endNanos, Fault fault, String detail) {
    return new Answer(endNanos, fault, detail);
  }
}
