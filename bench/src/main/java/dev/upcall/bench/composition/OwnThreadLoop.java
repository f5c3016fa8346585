package dev.upcall.bench.composition;

import dev.upcall.AsyncFiles;
import dev.upcall.bench.job.Tally;
import dev.upcall.completion.Failure;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An application with one thread of its own (composition 2): it keeps a number of operations in the
 * store's queue and drains the passive port. Runs on the thread that made it.
 */
final class OwnThreadLoop implements AutoCloseable {
  private static final int LIMIT = 256;
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final AsyncFiles files;
  private Tally tally = new Tally();
  private @Nullable Failure failure;

  /** Of a store's door; closed with this. */
  OwnThreadLoop(AsyncFiles files) {
    this.files = files;
  }

  /** The door. */
  AsyncFiles files() {
    return files;
  }

  /**
   * Runs for a time, and until what was begun has ended.
   *
   * @param begin begins as many operations as are wanted and not under way
   */
  Tally run(long nanos, Runnable begin) throws IOException, InterruptedException {
    tally = new Tally();
    long deadlineNanos = System.nanoTime() + nanos;
    while (failure == null && System.nanoTime() < deadlineNanos) {
      begin.run();
      files.await(LIMIT, PATIENCE);
    }
    while (files.outstanding() > 0) {
      files.await(LIMIT, PATIENCE);
    }
    tally.end();
    if (failure != null) {
      throw new IOException(failure.message());
    }
    return tally;
  }

  /** An operation has ended that began at a time. */
  void done(long beganNanos) {
    long now = System.nanoTime();
    tally.add(1, now - beganNanos, now);
  }

  /** An operation has failed, and with it the run. */
  void failed(Failure why) {
    failure = why;
  }

  @Override
  public void close() {
    files.close();
  }
}
