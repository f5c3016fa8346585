package dev.upcall.fileman.stage;

import dev.upcall.UpcallException;
import dev.upcall.completion.Completion;
import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherStoppedException;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.fsm.wakeup.VirtualThreads;
import dev.upcall.stage.StageLimits;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Requests from any thread, in a line until there is room for them, and the way of their
 * completions to the executor. Any thread; nobody waits and nothing is locked: whoever finds that
 * there is room, a caller or the dispatcher's thread, lets in those who are next, one thread at a
 * time, so that the order of coming stays.
 */
final class StageDoor {
  private static final System.Logger LOG = System.getLogger(StageDoor.class.getName());

  /**
   * Answers that a thread gets at once before there is one behind which all runs on the executor: a
   * loop of stages nests so deep at most.
   */
  private static final int MOST_AT_ONCE = 32;

  /** When a thread is asked for again that was refused. */
  private static final long NO_THREAD_NANOS = 20_000_000;

  private final Dispatcher dispatcher;
  private final Executor executor;
  private final StageLimits limits;
  private final RequestDoor door;
  private final long terminationHook;
  private final ConcurrentLinkedQueue<StageRequest<?, ?>> line = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger inside = new AtomicInteger();

  /** How often somebody wanted to let others in; who takes it from 0 does so for all. */
  private final AtomicInteger lettingIn = new AtomicInteger();

  private final ThreadLocal<int[]> answeredAtOnce = ThreadLocal.withInitial(() -> new int[1]);
  private volatile boolean closed;

  StageDoor(Dispatcher dispatcher, Executor executor, StageLimits limits) {
    this.dispatcher = dispatcher;
    this.executor = executor;
    this.limits = limits;
    this.door = new RequestDoor("stages", limits.maxInside(), dispatcher);
    this.terminationHook = dispatcher.terminations().add(this::dispatcherEnded);
  }

  Dispatcher dispatcher() {
    return dispatcher;
  }

  StageLimits limits() {
    return limits;
  }

  int inside() {
    return inside.get();
  }

  int waiting() {
    return waiting.get();
  }

  boolean isClosed() {
    return closed;
  }

  /** Puts a request in line. */
  void enter(StageRequest<?, ?> request) {
    if (closed) {
      request.refuse(UpcallFailures.closed());
      return;
    }
    if (waiting.incrementAndGet() > limits.maxWaiting() && inside.get() >= limits.maxInside()) {
      waiting.decrementAndGet();
      request.refuse(UpcallFailures.busy(limits));
      return;
    }
    try {
      line.add(request);
    } catch (OutOfMemoryError noRoom) {
      waiting.decrementAndGet();
      throw noRoom;
    }
    letIn();
    if (closed) {
      refuseAll();
    }
  }

  private void letIn() {
    if (lettingIn.getAndIncrement() != 0) {
      return;
    }
    int heard = 1;
    do {
      while (inside.get() < limits.maxInside()) {
        StageRequest<?, ?> next = line.poll();
        if (next == null) {
          break;
        }
        waiting.decrementAndGet();
        inside.incrementAndGet();
        begin(next);
      }
      heard = lettingIn.addAndGet(-heard);
    } while (heard != 0);
  }

  private <S> void begin(StageRequest<S, ?> request) {
    try {
      // There is room: the door gives a place back before the completion that we count.
      if (!door.<S>offer(request::begin, request)) {
        throw new IllegalStateException("a place is free that the door does not have");
      }
    } catch (RejectedExecutionException ended) {
      inside.decrementAndGet();
      request.refuse(ended());
    } catch (OutOfMemoryError noRoom) {
      // Not on to whoever lets others in: nobody would let in those behind this one.
      inside.decrementAndGet();
      request.refuse(noRoom);
    }
  }

  /** Dispatcher's thread: a request has left the store. */
  void left() {
    inside.decrementAndGet();
    if (!line.isEmpty()) {
      letIn();
    }
    forget();
  }

  private RuntimeException ended() {
    return dispatcher.failure().isEmpty()
        ? UpcallFailures.closed()
        : DispatcherStoppedException.refused(dispatcher);
  }

  /** Whether a request of a caller would go in at once. */
  boolean hasRoom() {
    return !closed && line.isEmpty() && inside.get() < limits.maxInside();
  }

  // ------------------------------------------------------------------ completions

  /**
   * Runs a completion where stages complete, once, whatever the executor does and throws; never on
   * the dispatcher's thread. Any thread.
   */
  void deliver(Runnable completion) {
    AtomicBoolean begun = new AtomicBoolean();
    Runnable once =
        () -> {
          if (!begun.getAndSet(true)) {
            completion.run();
          }
        };
    try {
      executor.execute(() -> elsewhere(once));
    } catch (Throwable thrown) {
      // Whatever a caller's executor throws must not reach the store, nor keep a stage from ending.
      LOG.log(
          System.Logger.Level.DEBUG, "an executor refuses completions: they run beside it", thrown);
      onThreadOfItsOwn(once);
    }
  }

  private void onThreadOfItsOwn(Runnable completion) {
    if (VirtualThreads.start("upcall-stage", completion) == null) {
      // Not here: what is behind a stage may wait, for this thread above all. Behind the
      // dispatcher's end nobody needs its thread any more.
      boolean later =
          dispatcher.offer(
              () -> dispatcher.schedule(NO_THREAD_NANOS, () -> onThreadOfItsOwn(completion)));
      if (!later) {
        completion.run();
      }
    }
  }

  /** As {@link #deliver}, after a while. Any thread. */
  void deliverAfter(long nanos, Runnable step) {
    if (!dispatcher.offer(() -> dispatcher.schedule(nanos, () -> deliver(step)))) {
      deliver(step);
    }
  }

  /** Fails a stage that is not complete so long after now. Any thread. */
  void expireAfter(long nanos, CompletableFuture<?> whole) {
    scheduleAfter(
        nanos,
        () -> deliver(() -> whole.completeExceptionally(UpcallFailures.late(nanos))),
        timer -> whole.whenComplete((_, _) -> dispatcher.offer(timer::cancel)));
  }

  /**
   * Schedules an action so long after now, on the dispatcher's thread. Any thread.
   *
   * @param timer takes what cancels it, on the dispatcher's thread
   */
  void scheduleAfter(long nanos, Runnable action, Consumer<Dispatcher.Timer> timer) {
    long askedNanos = dispatcher.clock().monotonicNanos();
    dispatcher.offer(
        () -> {
          long tookNanos = dispatcher.clock().monotonicNanos() - askedNanos;
          timer.accept(dispatcher.schedule(Math.max(0, nanos - tookNanos), action));
        });
  }

  private void elsewhere(Runnable completion) {
    if (dispatcher.isOwner()) {
      onThreadOfItsOwn(completion);
    } else {
      completion.run();
    }
  }

  /** A stage of what is known already. Any thread. */
  <S, T> CompletableFuture<T> answered(
      Completion<S> known, Function<? super S, ? extends T> result) {
    int[] count = answeredAtOnce.get();
    boolean atOnce = count[0] < MOST_AT_ONCE;
    count[0] = atOnce ? count[0] + 1 : 0;
    CompletableFuture<T> stage =
        atOnce ? new CompletableFuture<>() : new DetachedStage<>(this::deliver);
    finish(stage, known, result);
    return stage;
  }

  /** Completes a stage with what a completion says; false if it was complete before. */
  static <S, T> boolean finish(
      CompletableFuture<T> stage, Completion<S> completion, Function<? super S, ? extends T> made) {
    return switch (completion) {
      case Completion.Failed<S>(Failure failure) ->
          stage.completeExceptionally(UpcallException.of(failure));
      case Completion.Done<S>(S value) -> {
        T result;
        try {
          result = made.apply(value);
        } catch (Throwable thrown) {
          yield stage.completeExceptionally(thrown);
        }
        yield stage.complete(result);
      }
    };
  }

  // ------------------------------------------------------------------ the end

  /** Refuses what stands in line and what comes later. */
  void close() {
    closed = true;
    refuseAll();
    forget();
  }

  private void refuseAll() {
    for (StageRequest<?, ?> next = line.poll(); next != null; next = line.poll()) {
      waiting.decrementAndGet();
      next.refuse(UpcallFailures.closed());
    }
  }

  /** A closed door is forgotten with the last request inside. */
  private void forget() {
    if (closed && inside.get() == 0) {
      dispatcher.terminations().remove(terminationHook);
      door.close();
    }
  }

  /** On the dispatcher's last thread: those inside are told by the door. */
  private void dispatcherEnded() {
    // It leaves the line when it was told: there may be no memory for that at first.
    for (StageRequest<?, ?> next = line.peek(); next != null; next = line.peek()) {
      next.refuse(ended());
      if (line.remove(next)) {
        waiting.decrementAndGet();
      }
    }
  }
}
