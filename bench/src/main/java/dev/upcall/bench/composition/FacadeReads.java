package dev.upcall.bench.composition;

import dev.upcall.Upcall;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.bench.workload.ManyFiles;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/** An application of many threads that call and wait (composition 3). */
public final class FacadeReads implements CompositionJob.Application {
  private final Upcall store;
  private final List<String> paths;
  private final int bytesEach;
  private final ThreadedLoop threads;

  /**
   * Threads over a store.
   *
   * @param paths of the files, by their numbers
   */
  public FacadeReads(Upcall store, List<String> paths, int bytesEach, ThreadedLoop threads) {
    this.store = store;
    this.paths = paths;
    this.bytesEach = bytesEach;
    this.threads = threads;
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return threads.run(nanos, this::step);
  }

  private ThreadedLoop.Step step(int thread) {
    SplittableRandom random = new SplittableRandom(System.nanoTime() + thread);
    return () -> {
      int file = random.nextInt(paths.size());
      byte[] bytes = store.readAllBytes(paths.get(file));
      ManyFiles.check(file, bytesEach, bytes);
    };
  }

  @Override
  public void close() {
    threads.close();
  }
}
