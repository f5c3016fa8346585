package dev.upcall.bench.job;

import dev.upcall.completion.Failure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongPredicate;

/**
 * A number of asynchronous operations outstanding at once, each begun anew when it has ended, for a
 * time. All of it happens on the dispatcher's thread, as in a program that shares it.
 */
public final class ClosedLoop {
  /** After so long without a result: is anybody there? */
  private static final int ASK_SECONDS = 1;

  private final Executor dispatcher;
  private final CompletableFuture<Tally> result = new CompletableFuture<>();
  private final Tally tally = new Tally();
  private final LongPredicate goesOn;
  private int going;

  private ClosedLoop(Executor dispatcher, LongPredicate goesOn) {
    this.dispatcher = dispatcher;
    this.goesOn = goesOn;
  }

  /** One of the operations that are outstanding. */
  public abstract static class Chain {
    private final ClosedLoop loop;
    private long beganNanos;

    /** One of a loop. */
    protected Chain(ClosedLoop loop) {
      this.loop = loop;
    }

    /** Begins the operation; its end calls {@link #done} or {@link #failed}. */
    protected abstract void begin();

    /** It has ended. */
    protected final void done() {
      done(1);
    }

    /** The same of an operation that did more than one unit. */
    protected final void done(long units) {
      long now = System.nanoTime();
      loop.tally.add(units, now - beganNanos, now);
      if (loop.goesOn.test(now) && !loop.result.isDone()) {
        go(now);
      } else {
        loop.ended();
      }
    }

    /** It could not be done, which ends the run. */
    protected final void failed(Failure failure) {
      loop.result.completeExceptionally(new IllegalStateException(failure.message()));
    }

    private void go(long now) {
      beganNanos = now;
      begin();
    }
  }

  /**
   * Runs to the end and waits for it; not on the dispatcher's thread.
   *
   * @throws RejectedExecutionException if the dispatcher ended meanwhile, with operations inside
   *     that nobody will answer
   */
  public static Tally run(
      Executor dispatcher, int depth, long nanos, Function<ClosedLoop, Chain> chains) {
    long deadlineNanos = System.nanoTime() + nanos;
    return run(dispatcher, depth, now -> now < deadlineNanos, chains);
  }

  /**
   * The same for as long as something is so.
   *
   * @param goesOn given the time; asked on the dispatcher's thread after each operation
   */
  public static Tally run(
      Executor dispatcher, int depth, LongPredicate goesOn, Function<ClosedLoop, Chain> chains) {
    ClosedLoop loop = new ClosedLoop(dispatcher, goesOn);
    loop.start(depth, chains);
    return loop.await();
  }

  private Tally await() {
    CompletableFuture<Boolean> over = result.handle((_, _) -> true);
    while (!over.copy().completeOnTimeout(false, ASK_SECONDS, TimeUnit.SECONDS).join()) {
      dispatcher.execute(() -> {});
    }
    return result.join();
  }

  private void start(int depth, Function<ClosedLoop, Chain> chains) {
    dispatcher.execute(
        () -> {
          going = depth;
          for (int i = 0; i < depth; i++) {
            chains.apply(this).go(System.nanoTime());
          }
        });
  }

  private void ended() {
    if (--going == 0) {
      tally.end();
      result.complete(tally);
    }
  }
}
