package dev.upcall.fileman.blocking;

import dev.upcall.fsm.Completion;
import dev.upcall.fsm.CompletionPort;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.Failure;
import dev.upcall.fsm.PassivePort;
import dev.upcall.fsm.RequestDoor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * The way in for one program on a thread of its own, and the way back: completions run where it
 * polls.
 */
final class AsyncDoor {
  private final RequestDoor door;
  private final PassivePort<Runnable> arrived;
  private int outstanding;

  AsyncDoor(Dispatcher dispatcher, int capacity) {
    this.door = new RequestDoor("async files", capacity, dispatcher);
    this.arrived = new PassivePort<>(dispatcher);
  }

  <T> void request(Consumer<CompletionPort<T>> request, CompletionPort<T> port) {
    outstanding++;
    boolean entered;
    try {
      entered =
          door.offer(
              request,
              (Completion<T> completion) ->
                  arrived.complete(Completion.done(() -> port.complete(completion))));
    } catch (RejectedExecutionException ended) {
      arrived.complete(
          Completion.done(() -> port.complete(Completion.failed(new Failure.Closed("the store")))));
      return;
    }
    if (!entered) {
      arrived.complete(
          Completion.done(() -> port.complete(Completion.failed(new Failure.Busy(door.name())))));
    }
  }

  <T> void later(CompletionPort<T> port, Failure failure) {
    outstanding++;
    arrived.complete(Completion.done(() -> port.complete(Completion.failed(failure))));
  }

  private void run(Completion<Runnable> arrival) {
    outstanding--;
    Calls.value(arrival).run();
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
