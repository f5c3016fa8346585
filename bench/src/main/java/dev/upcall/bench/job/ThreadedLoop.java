package dev.upcall.bench.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/**
 * A number of threads, each of which does one thing after the other for a time. They begin together
 * once all of them are there, so that starting them is not measured.
 */
public final class ThreadedLoop implements AutoCloseable {
  private final ExecutorService threads;
  private final int depth;

  private ThreadedLoop(int depth, ExecutorService threads) {
    this.depth = depth;
    this.threads = threads;
  }

  /** That many platform threads. */
  public static ThreadedLoop platform(int depth) {
    return new ThreadedLoop(depth, Executors.newFixedThreadPool(depth));
  }

  /** That many virtual threads. */
  public static ThreadedLoop virtual(int depth) {
    return new ThreadedLoop(depth, Executors.newVirtualThreadPerTaskExecutor());
  }

  /** What a thread does, again and again. */
  @FunctionalInterface
  public interface Step {
    /** Does it once, completely. */
    void run() throws IOException;

    /** Counts what it did last, with the time it took and when it had ended. */
    default void tell(Tally tally, long nanos, long endedNanos) {
      tally.add(1, nanos, endedNanos);
    }
  }

  /** Runs the steps that a function makes for each thread, which it is told by number. */
  public Tally run(long nanos, IntFunction<Step> steps) throws IOException, InterruptedException {
    return run((begun, now) -> now - begun < nanos, steps);
  }

  /** The same for that many steps of all threads together, or one more of each. */
  public Tally runSteps(long count, IntFunction<Step> steps)
      throws IOException, InterruptedException {
    return runSteps(count, Long.MAX_VALUE, steps);
  }

  /** The same, but each thread begins none, its first excepted, when the time is over. */
  public Tally runSteps(long count, long nanos, IntFunction<Step> steps)
      throws IOException, InterruptedException {
    AtomicLong left = new AtomicLong(count);
    return run((begun, now) -> now - begun < nanos && left.decrementAndGet() > 0, steps);
  }

  /** Whether a thread goes on. */
  private interface Going {
    boolean on(long begunNanos, long nowNanos);
  }

  private Tally run(Going going, IntFunction<Step> steps) throws IOException, InterruptedException {
    List<Future<Tally>> parts = new ArrayList<>();
    CompletableFuture<Long> start = new CompletableFuture<>();
    CountDownLatch ready = new CountDownLatch(depth);
    for (int i = 0; i < depth; i++) {
      Step step = steps.apply(i);
      parts.add(
          threads.submit(
              () -> {
                Tally tally = new Tally();
                ready.countDown();
                return repeat(step, tally, start.join(), going);
              }));
    }
    ready.await();
    Tally all = new Tally();
    start.complete(System.nanoTime());
    List<Tally> tallies = new ArrayList<>();
    try {
      for (Future<Tally> part : parts) {
        tallies.add(part.get());
      }
    } catch (ExecutionException failed) {
      throw new IOException(failed.getCause());
    }
    all.end();
    tallies.forEach(all::add);
    return all;
  }

  /**
   * All threads have something to do from the start on: who comes to it late, because others hold
   * the processor, has waited for it, and does it once at least.
   */
  private static Tally repeat(Step step, Tally tally, long startNanos, Going going)
      throws IOException {
    long begin = startNanos;
    do {
      step.run();
      long now = System.nanoTime();
      step.tell(tally, now - begin, now);
      begin = now;
    } while (going.on(startNanos, begin));
    return tally;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    threads.close();
  }
}
