package dev.upcall.bench.report;

import dev.upcall.bench.harness.Warmth;
import java.io.IOException;

/** One side of a sweep, started and warm. Closing it ends its processes. */
public interface Side extends AutoCloseable {
  /** For tables and plots. */
  String name();

  /** How warm it was when it was confined to its cores. */
  Warmth warmth();

  /** Takes one sample at a load. */
  Reading measure(int load) throws IOException, InterruptedException;

  @Override
  void close();
}
