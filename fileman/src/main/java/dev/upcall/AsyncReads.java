package dev.upcall;

import dev.upcall.completion.CompletionPort;

/**
 * Looking and reading by a program on a thread of its own, of the present state ({@link
 * AsyncFiles}) or in a transaction ({@link AsyncTransaction}).
 */
public interface AsyncReads extends AsyncQueries {
  /** The largest read. */
  int MAX_READ_BYTES = 256 << 10;

  /**
   * Reads a range of a file's newest version into an array of its own: at most {@code maxBytes} (at
   * most {@link #MAX_READ_BYTES}); fewer at the end or at a natural border, none at or behind the
   * end. A negative offset, and a length that is negative or larger than that, are {@code Invalid}.
   */
  void read(CharSequence path, long offset, int maxBytes, CompletionPort<byte[]> port);
}
