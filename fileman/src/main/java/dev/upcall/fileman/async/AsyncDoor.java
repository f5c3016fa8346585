package dev.upcall.fileman.async;

import dev.upcall.UpcallException;
import dev.upcall.base.Clock;
import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.completion.Unit;
import dev.upcall.config.Limits;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.DispatcherFailure;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.fsm.HeapBudget;
import dev.upcall.fsm.door.Cork;
import dev.upcall.fsm.door.PassivePort;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.fsm.meter.StageMeter;
import dev.upcall.fsm.record.Stage;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way in for one program on a thread of its own, and the way back: completions run where it
 * polls.
 */
public final class AsyncDoor {
  private static final Failure CLOSED = new Failure.Closed("the door of async files");

  private final Dispatcher dispatcher;
  private final int capacity;
  private final ArrayDeque<CompletionPort<Unit>> awaitingRoom = new ArrayDeque<>();
  private final RequestDoor door;
  private final PassivePort<Runnable> arrived;
  private final FlightRecorder recorder;
  private final Clock clock;
  private final StageMeter stages;

  /** Of answers that may be large and are not drained. */
  private final SequencedSet<HeapBudget.Hold> holds = new LinkedHashSet<>();

  private int outstanding;
  private boolean closed;

  /**
   * Who made the first call. Others only compare it with themselves, and need no fence for that.
   */
  private @Nullable Thread holder;

  public AsyncDoor(Dispatcher dispatcher, int capacity) {
    this.dispatcher = dispatcher;
    this.capacity = capacity;
    Cork cork = new Cork(dispatcher);
    this.door = new RequestDoor("async files", capacity, dispatcher, cork);
    this.arrived = new PassivePort<>(dispatcher, cork);
    this.recorder = dispatcher.recorder();
    this.clock = dispatcher.clock();
    this.stages = new StageMeter(clock, recorder.ring());
  }

  /** Whose thread answers. */
  Dispatcher dispatcher() {
    return dispatcher;
  }

  <T> void request(Consumer<CompletionPort<T>> request, CompletionPort<T> port) {
    enter(
        request,
        completion -> arrived.complete(Completion.done(() -> port.complete(completion))),
        port);
  }

  /**
   * A request that this thread answers itself if it can: not while as many completions wait to be
   * drained as requests may be inside, so that who never drains is told so.
   *
   * @param seen the answer, or null: the store is asked
   */
  <T> void look(
      Supplier<? extends @Nullable Completion<T>> seen,
      Consumer<CompletionPort<T>> request,
      CompletionPort<T> port) {
    if (!isAnswered(seen, port)) {
      request(request, port);
    }
  }

  private <T> boolean isAnswered(
      Supplier<? extends @Nullable Completion<T>> seen, CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    checkHolder();
    if (closed) {
      later(port, CLOSED);
      return true;
    }
    Completion<T> answer = outstanding < capacity ? seen.get() : null;
    if (answer == null) {
      return false;
    }
    outstanding++;
    arrived.complete(Completion.done(() -> port.complete(answer)));
    return true;
  }

  /**
   * As {@link #look}, for a request whose answer may be large: it takes a part of the heap's
   * budget, which is given back when the program has the answer.
   */
  <T> void lookHolding(
      Supplier<? extends @Nullable Completion<T>> seen,
      BiConsumer<HeapBudget.Hold, CompletionPort<T>> request,
      CompletionPort<T> port) {
    if (isAnswered(seen, port)) {
      return;
    }
    HeapBudget.Hold hold = dispatcher.heap().hold();
    holds.add(hold);
    this.<T>request(
        inner -> request.accept(hold, inner),
        completion -> {
          holds.remove(hold);
          hold.giveBack();
          port.complete(completion);
        });
  }

  /**
   * As {@link #look}, for a request whose stages somebody may want: one that is looked at is asked
   * of the store, since these are the store's.
   */
  <T> void lookMeasured(
      Supplier<? extends @Nullable Completion<T>> seen,
      Consumer<CompletionPort<T>> request,
      CompletionPort<T> port) {
    checkHolder();
    StageMeter.Sample sample = stages.issued();
    if (sample == null) {
      look(seen, request, port);
      return;
    }
    enter(
        inner -> {
          sample.begun(recorder.measure());
          request.accept(inner);
        },
        completion -> post(completion, port, sample),
        port);
  }

  private <T> void enter(
      Consumer<CompletionPort<T>> request, CompletionPort<T> inside, CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    checkHolder();
    if (closed) {
      later(port, CLOSED);
      return;
    }
    outstanding++;
    boolean entered;
    try {
      entered = door.offer(request, inside);
    } catch (RejectedExecutionException ended) {
      Failure closed = DispatcherFailure.closed("the store", ended.getCause());
      arrived.complete(Completion.done(() -> port.complete(Completion.failed(closed))));
      return;
    }
    if (!entered) {
      arrived.complete(
          Completion.done(
              () ->
                  port.complete(
                      Completion.failed(new Failure.Busy(door.name() + ": at most " + capacity)))));
    }
  }

  /** Store's thread. */
  private <T> void post(
      Completion<T> completion, CompletionPort<T> port, StageMeter.Sample sample) {
    recorder.stamp(sample.request(), Stage.POSTED, clock.monotonicNanos());
    arrived.complete(
        Completion.done(
            () -> {
              stages.handled(sample);
              port.complete(completion);
            }));
  }

  StageMeter stages() {
    return stages;
  }

  <T> void later(CompletionPort<T> port, Failure failure) {
    Objects.requireNonNull(failure, "failure");
    Objects.requireNonNull(port, "port");
    checkHolder();
    outstanding++;
    arrived.complete(Completion.done(() -> port.complete(Completion.failed(failure))));
  }

  /** What was not asked of the store, and arrives here as its answers do. */
  <T> CompletionPort<T> fromAnyThread(CompletionPort<T> port) {
    Objects.requireNonNull(port, "port");
    checkHolder();
    outstanding++;
    return completion -> arrived.complete(Completion.done(() -> port.complete(completion)));
  }

  /** Has something run where completions do, which nobody has asked for. Any thread. */
  void signal(Runnable signals) {
    arrived.complete(
        Completion.done(
            () -> {
              outstanding++; // is counted down as what was asked for
              signals.run();
            }));
  }

  private void run(Completion<Runnable> arrival) {
    outstanding--;
    UpcallException.value(arrival).run();
    while (hasRoom() && !awaitingRoom.isEmpty()) {
      outstanding--;
      awaitingRoom.removeFirst().complete(Completion.done());
    }
  }

  /** Completes when a request may be made that is not {@code Busy}, in the order of asking. */
  void whenRoom(CompletionPort<Unit> port) {
    Objects.requireNonNull(port, "port");
    checkHolder();
    outstanding++;
    if (hasRoom()) {
      arrived.complete(Completion.done(() -> port.complete(Completion.done())));
    } else {
      awaitingRoom.addLast(port);
    }
  }

  private boolean hasRoom() {
    return door.inside() < capacity;
  }

  private void checkHolder() {
    Thread caller = Thread.currentThread();
    if (holder == null) {
      holder = caller;
    } else if (holder != caller) {
      throw new IllegalStateException(
          "these files are for one thread, which is %s since its first call, and not for %s"
              .formatted(holder, caller));
    }
  }

  int poll(int limit) {
    Limits.atLeast("limit", limit, 0);
    checkHolder();
    int ran = 0;
    while (ran < limit) {
      Completion<Runnable> next = arrived.poll();
      if (next == null) {
        break;
      }
      run(next);
      ran++;
    }
    if (ran == 0 && outstanding > 0) {
      arrived.checkAlive();
    }
    return ran;
  }

  int await(int limit, long timeoutNanos) throws InterruptedException {
    Limits.atLeast("limit", limit, 1);
    checkHolder();
    Completion<Runnable> first = arrived.take(timeoutNanos);
    if (first == null) {
      return 0;
    }
    run(first);
    return 1 + poll(limit - 1);
  }

  int outstanding() {
    return outstanding;
  }

  void close() {
    closed = true;
    door.close();
    arrived.close();
    // Nobody gets what they are for. The youngest first: it would be let in by those before it.
    holds.reversed().forEach(HeapBudget.Hold::giveBack);
    holds.clear();
  }
}
