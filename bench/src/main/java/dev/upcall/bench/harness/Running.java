package dev.upcall.bench.harness;

import java.io.IOException;

/** An entrant that is started and warm. Closing it ends its process and removes its files. */
public interface Running extends AutoCloseable {
  /** Runs once. */
  Sample measure() throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
