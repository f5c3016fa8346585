package dev.upcall.fileman.blocking;

import dev.upcall.completion.Completion;
import dev.upcall.completion.CompletionPort;
import dev.upcall.completion.Failure;
import dev.upcall.fileman.UpcallException;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.door.Cork;
import dev.upcall.fsm.door.PassivePort;
import dev.upcall.fsm.door.RequestDoor;
import dev.upcall.fsm.meter.StageMeter;
import dev.upcall.fsm.meter.StageStamps;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The way in for one program on a thread of its own, and the way back: completions run where it
 * polls.
 */
final class AsyncDoor {
  private final RequestDoor door;
  private final PassivePort<Runnable> arrived;
  private final StageMeter stages;
  private int outstanding;

  AsyncDoor(Dispatcher dispatcher, int capacity) {
    Cork cork = new Cork(dispatcher);
    this.door = new RequestDoor("async files", capacity, dispatcher, cork);
    this.arrived = new PassivePort<>(dispatcher, cork);
    this.stages = new StageMeter(dispatcher.clock());
  }

  <T> void request(Consumer<CompletionPort<T>> request, CompletionPort<T> port) {
    request(request, port, null);
  }

  /** A request that may be looked at. */
  <T> void request(
      Consumer<CompletionPort<T>> request, CompletionPort<T> port, @Nullable StageStamps stamps) {
    outstanding++;
    boolean entered;
    try {
      entered =
          door.offer(
              request,
              stamps == null
                  ? completion -> arrived.complete(Completion.done(() -> port.complete(completion)))
                  : completion -> post(completion, port, stamps));
    } catch (RejectedExecutionException ended) {
      Failure closed =
          new Failure.Closed(
              ended.getCause() == null
                  ? "the store"
                  : "the store, whose thread was stopped by " + ended.getCause() + ",");
      arrived.complete(Completion.done(() -> port.complete(Completion.failed(closed))));
      return;
    }
    if (!entered) {
      arrived.complete(
          Completion.done(() -> port.complete(Completion.failed(new Failure.Busy(door.name())))));
    }
  }

  /** Store's thread. */
  private <T> void post(Completion<T> completion, CompletionPort<T> port, StageStamps stamps) {
    stamps.posted();
    arrived.complete(
        Completion.done(
            () -> {
              stages.handled(stamps);
              port.complete(completion);
            }));
  }

  StageMeter stages() {
    return stages;
  }

  <T> void later(CompletionPort<T> port, Failure failure) {
    outstanding++;
    arrived.complete(Completion.done(() -> port.complete(Completion.failed(failure))));
  }

  private void run(Completion<Runnable> arrival) {
    outstanding--;
    UpcallException.value(arrival).run();
  }

  int poll(int limit) {
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
    door.close();
    arrived.close();
  }
}
