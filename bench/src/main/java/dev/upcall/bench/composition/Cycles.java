package dev.upcall.bench.composition;

import dev.upcall.bench.job.Tally;
import java.io.IOException;

/**
 * An application that keeps a number of cycles in flight: open a file of the set, read it whole
 * into memory of its own, close it; or, now and then, put it anew. A cycle that ends is followed by
 * the next at once.
 */
interface Cycles extends AutoCloseable {
  /** Gets ready for so many in flight: what that takes is not a part of the run. */
  void prepare(int inFlight);

  /** Runs for a time with so many in flight. Not on the store's thread. */
  Tally run(long nanos) throws IOException, InterruptedException;

  @Override
  void close();
}
