package dev.upcall.bench.provider;

import dev.upcall.bench.job.ThreadedLoop;
import java.io.IOException;
import java.nio.file.Path;

/** What is done below a directory of either file system, again and again. */
interface Work {
  /**
   * Makes what it needs, once for each directory.
   *
   * @param durable whether each step must be durable when it ends
   */
  ThreadedLoop.Step begin(Path directory, boolean durable) throws IOException;
}
