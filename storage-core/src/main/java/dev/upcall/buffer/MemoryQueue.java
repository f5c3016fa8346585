package dev.upcall.buffer;

import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.space.Extent;
import java.util.ArrayDeque;

/**
 * The requests that wait for memory, first come first served. Bounded: when it is full a request is
 * refused with {@code Busy}.
 */
final class MemoryQueue {
  /** How many waiting requests one upcall serves before it lets others run. */
  private static final int SERVE_LIMIT = 32;

  private final Dispatcher dispatcher;
  private final int limit;
  private final ArrayDeque<MemoryWaiter> waiters = new ArrayDeque<>();
  private Runnable pressure = () -> {};
  private boolean pressing;
  private boolean scheduled;
  private boolean serving;
  private long parked;
  private long refused;

  MemoryQueue(Dispatcher dispatcher, int limit) {
    this.dispatcher = dispatcher;
    this.limit = limit;
  }

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  int size() {
    return waiters.size();
  }

  long parked() {
    return parked;
  }

  long refused() {
    return refused;
  }

  void onPressure(Runnable upcall) {
    pressure = upcall;
  }

  private void press() {
    if (!pressing) {
      pressing = true;
      dispatcher.post(
          () -> {
            pressing = false;
            if (!waiters.isEmpty()) {
              pressure.run();
            }
          });
    }
  }

  /** Puts a request at the end, or refuses it. */
  void park(MemoryWaiter waiter) {
    if (waiters.size() >= limit) {
      refused++;
      waiter.refuse(new Failure.Busy("buffer memory"));
      return;
    }
    parked++;
    waiters.addLast(waiter);
    memoryMayBeFree();
    press();
  }

  /**
   * Serves the queue in an upcall to come. Requests that try and fail give back what they took, so
   * calls from inside a try are no news.
   */
  void memoryMayBeFree() {
    if (!serving && !scheduled && !waiters.isEmpty()) {
      scheduled = true;
      dispatcher.post(this::serve);
    }
  }

  void forgotten(Extent extent) {
    for (MemoryWaiter waiter : waiters) {
      waiter.forgotten(extent);
    }
  }

  void refuseAll(Failure why) {
    for (MemoryWaiter waiter = waiters.pollFirst(); waiter != null; waiter = waiters.pollFirst()) {
      dispatcher.recorder().serving(waiter.asker(), refusal(waiter, why));
    }
  }

  private static Runnable refusal(MemoryWaiter waiter, Failure why) {
    return () -> waiter.refuse(why);
  }

  private void serve() {
    scheduled = false;
    boolean progress = true;
    for (int i = 0; i < SERVE_LIMIT && progress && !waiters.isEmpty(); i++) {
      serving = true;
      MemoryWaiter first = waiters.getFirst();
      dispatcher.recorder().serve(first.asker());
      progress = first.serve();
      serving = false;
      if (progress) {
        waiters.removeFirst();
      }
    }
    dispatcher.recorder().serve(FlightRecorder.NOBODY);
    if (progress) {
      memoryMayBeFree();
    }
  }
}
