package dev.upcall.bench.harness;

import java.io.IOException;
import java.util.OptionalLong;

/** An entrant that is started and warm. Closing it ends its process and removes its files. */
public interface Running extends AutoCloseable {
  /** Runs once. */
  Sample measure() throws IOException, InterruptedException;

  /** What else is to be said once all samples are taken; empty for nothing. */
  default String note() throws IOException, InterruptedException {
    return "";
  }

  /** The process that does the work, as long as there is one. */
  default OptionalLong process() {
    return OptionalLong.empty();
  }

  @Override
  void close() throws IOException;
}
