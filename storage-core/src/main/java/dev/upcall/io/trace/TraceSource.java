package dev.upcall.io.trace;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A trace that is read once, entry by entry, in whatever form it is. For one thread, that may wait.
 */
public interface TraceSource extends AutoCloseable {
  /**
   * The next entry, not earlier than the one before; null at the end, or where the trace is
   * damaged.
   *
   * @throws IOException if it cannot be read, or what is there is no entry; the message says where
   */
  @Nullable TraceEntry next() throws IOException;

  /** Where and how the trace is cut off or damaged; empty if it is not, as far as it was read. */
  String damage();

  /** Where the entry before stands, for messages: {@code line 7}, {@code entry 7}. */
  String place();

  @Override
  void close() throws IOException;
}
