package dev.upcall.io.trace;

import java.io.IOException;

/** Where a trace is written, in whatever form. For one thread, that may wait. */
public interface TraceTarget extends AutoCloseable {
  /** Writes an entry; false if the form has no words for such a one, which is left out. */
  boolean write(TraceEntry entry) throws IOException;

  @Override
  void close() throws IOException;
}
