package dev.upcall.bench.composition;

import dev.upcall.Upcall;
import dev.upcall.bench.job.Tally;
import dev.upcall.bench.job.ThreadedLoop;
import dev.upcall.bench.workload.FileSetDraws;
import java.io.IOException;
import java.util.function.IntFunction;

/** An application of many threads, each of which calls the store and waits. */
final class ThreadCycles implements Cycles {
  private final Upcall store;
  private final FileSetDraws.Table table;
  private final IntFunction<ThreadedLoop> threads;
  private ThreadedLoop loop;

  private ThreadCycles(Upcall store, FileSetDraws.Table table, IntFunction<ThreadedLoop> threads) {
    this.store = store;
    this.table = table;
    this.threads = threads;
    this.loop = threads.apply(1);
  }

  /** On platform threads. */
  static Cycles platform(Upcall store, FileSetDraws.Table table) {
    return new ThreadCycles(store, table, ThreadedLoop::platform);
  }

  /** On virtual threads. */
  static Cycles virtual(Upcall store, FileSetDraws.Table table) {
    return new ThreadCycles(store, table, ThreadedLoop::virtual);
  }

  @Override
  public void prepare(int inFlight) {
    loop.close();
    loop = threads.apply(inFlight);
  }

  @Override
  public Tally run(long nanos) throws IOException, InterruptedException {
    return loop.run(nanos, this::step);
  }

  private ThreadedLoop.Step step(int thread) {
    FileSetDraws draws = new FileSetDraws(table, thread);
    return () -> {
      FileSetDraws.Wanted wanted = draws.next();
      if (draws.isRewrite()) {
        store.write(wanted.path(), wanted.newContent());
      } else {
        wanted.check(store.readAllBytes(wanted.path()));
      }
    };
  }

  @Override
  public void close() {
    loop.close();
  }
}
