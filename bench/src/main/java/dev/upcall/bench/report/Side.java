package dev.upcall.bench.report;

import java.io.IOException;

/** One side of a sweep, started and warm. Closing it ends its processes. */
interface Side extends AutoCloseable {
  /** For tables and plots. */
  String name();

  /** Takes one sample at a load. */
  Reading measure(int load) throws IOException, InterruptedException;

  @Override
  void close();
}
