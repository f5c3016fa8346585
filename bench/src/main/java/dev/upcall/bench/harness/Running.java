package dev.upcall.bench.harness;

import java.io.IOException;

/** An entrant that is started and warm. Closing it ends its process and removes its files. */
public interface Running extends AutoCloseable {
  /** Runs once. */
  Sample measure() throws IOException, InterruptedException;

  /** What else is to be said once all samples are taken; empty for nothing. */
  default String note() throws IOException, InterruptedException {
    return "";
  }

  @Override
  void close() throws IOException;
}
