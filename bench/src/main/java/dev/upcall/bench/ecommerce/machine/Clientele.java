package dev.upcall.bench.ecommerce.machine;

import dev.upcall.bench.ecommerce.Draws;
import dev.upcall.bench.ecommerce.Interaction;
import dev.upcall.bench.ecommerce.Mix;
import dev.upcall.bench.ecommerce.Workload;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * All clients of one server: what they do next, drawn from one stream in the order in which they
 * begin, and what they got. One thread.
 */
public final class Clientele {
  private final Workload workload;
  private final Times times;
  private final RandomGenerator draws;
  private final RandomGenerator thinking;
  private final Map<String, Long> drawn = new LinkedHashMap<>();
  private long drawnCount;
  private long fromNanos = Long.MAX_VALUE;
  private boolean isOver;
  private int present;
  private Runnable gone = () -> {};
  private long ended;
  private long responseNanos;
  private long databaseNanos;
  private LongConsumer listener = nanos -> {};

  /** Nobody has come yet. */
  public Clientele(Workload workload, Times times, long seed) {
    this.workload = workload;
    this.times = times;
    this.draws = Draws.stream(seed, workload.kind().label(), 0);
    this.thinking = Draws.stream(seed, "think", 0);
  }

  /** Begins with so many clients, whose numbers as askers begin with 1. */
  public void come(Server server, int clients) {
    isOver = false;
    present = clients;
    for (int i = 1; i <= clients; i++) {
      new Client(server, i).think();
    }
  }

  /**
   * What ends from a time of the dispatcher's on counts.
   *
   * @param hearer is told how long each took, in nanoseconds
   */
  public void count(long from, LongConsumer hearer) {
    fromNanos = from;
    listener = hearer;
    ended = 0;
    responseNanos = 0;
    databaseNanos = 0;
  }

  /**
   * Nobody begins anything more, and what ends does not count.
   *
   * @param then runs when the last of them has gone
   */
  public void leave(Runnable then) {
    isOver = true;
    fromNanos = Long.MAX_VALUE;
    gone = then;
  }

  /** Whether a client that has thought goes on; it has gone when it does not. */
  boolean goesOn() {
    if (!isOver) {
      return true;
    }
    present--;
    if (present == 0) {
      gone.run();
    }
    return false;
  }

  /** What a client does next. */
  Interaction draw() {
    Interaction next = workload.next(draws);
    drawn.merge(next.kind(), 1L, Long::sum);
    drawnCount++;
    return next;
  }

  long drawThinkNanos() {
    return Draws.exponentialNanos(thinking, times.thinkNanos());
  }

  /** An interaction has ended. */
  void ended(long nowNanos, long tookNanos, long inDatabaseNanos) {
    if (nowNanos >= fromNanos) {
      ended++;
      responseNanos += tookNanos;
      databaseNanos += inDatabaseNanos;
      listener.accept(tookNanos);
    }
  }

  /** What they got in so much time. */
  public RunResult.Answers answers(long nanos) {
    return new RunResult.Answers(ended, nanos / 1e9, responseNanos, databaseNanos);
  }

  /** What was drawn, beside what should be. */
  public RunResult.SelfCheck selfCheck() {
    double worst = 0;
    for (Mix.Share share : workload.mix().shares()) {
      double percent = 100.0 * drawn.getOrDefault(share.kind(), 0L) / Math.max(1, drawnCount);
      worst = Math.max(worst, Math.abs(percent - share.percent()));
    }
    return new RunResult.SelfCheck(drawnCount, worst);
  }
}
