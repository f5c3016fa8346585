package dev.upcall.bench.worker;

import dev.upcall.fileman.Upcall;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** An application of many threads, each of which calls the store and waits. */
final class ThreadCycles implements Cycles {
  private final Upcall store;
  private final FileSetDraws.Table table;
  private final Supplier<ExecutorService> threads;
  private ThreadedLoop loop;

  private ThreadCycles(Upcall store, FileSetDraws.Table table, Supplier<ExecutorService> threads) {
    this.store = store;
    this.table = table;
    this.threads = threads;
    this.loop = new ThreadedLoop(1, threads.get());
  }

  /** On platform threads. */
  static Cycles platform(Upcall store, FileSetDraws.Table table) {
    return new ThreadCycles(store, table, Executors::newCachedThreadPool);
  }

  /** On virtual threads. */
  static Cycles virtual(Upcall store, FileSetDraws.Table table) {
    return new ThreadCycles(store, table, Executors::newVirtualThreadPerTaskExecutor);
  }

  @Override
  public void prepare(int inFlight) {
    loop.close();
    loop = new ThreadedLoop(inFlight, threads.get());
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
