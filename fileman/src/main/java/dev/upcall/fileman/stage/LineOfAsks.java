package dev.upcall.fileman.stage;

import dev.upcall.completion.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.stage.StageLimits;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Requests into a store whose callers do not wait and are not refused: what is more than may be
 * inside stands in line. Each ends on a virtual thread of its own, which begins when the store has
 * answered. Any thread.
 */
public final class LineOfAsks {
  /** What no memory holds the buffers of. */
  private static final int MAX_WAITING = 1 << 24;

  private final Asker asker;

  /**
   * In front of a dispatcher, with which it ends.
   *
   * @param maxInside requests inside the store at once
   */
  public LineOfAsks(Dispatcher dispatcher, int maxInside) {
    StageLimits limits = new StageLimits(maxInside, MAX_WAITING);
    this.asker = new Asker(new StageDoor(dispatcher, Thread::startVirtualThread, limits), 0);
  }

  /**
   * Asks.
   *
   * @param what makes the request; on the dispatcher's thread
   * @param result what the future has of the answer; on the thread on which it is completed
   * @param lost takes an answer that nobody gets any more; on the dispatcher's thread
   */
  public <S, T> CompletableFuture<T> ask(
      Consumer<? super CompletionPort<S>> what,
      Function<? super S, ? extends T> result,
      Consumer<? super S> lost) {
    return asker.open(what, result, lost);
  }
}
