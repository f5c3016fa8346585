package dev.upcall.bench.edits;

import dev.upcall.bench.job.Tally;
import java.io.IOException;

/** One way of editing, done again and again for a time. */
interface EditSide extends AutoCloseable {
  /** Does it for so long. */
  Tally run(long nanos) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
