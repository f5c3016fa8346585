package dev.upcall.buffer;

import dev.upcall.completion.Failure;
import dev.upcall.fsm.Dispatcher;
import dev.upcall.fsm.FlightRecorder;
import dev.upcall.space.Extent;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for memory, first come first served. Bounded: when it is full a request is
 * refused with {@code Busy}.
 *
 * <p>Requests that hold memory and wait for more may wait for each other. So the first one is
 * refused with {@code Busy}, too, when nobody was served for {@value #MOST_SECONDS} s: it gives up
 * what it holds, and the others go on.
 */
final class MemoryQueue {
  /** How many waiting requests one upcall serves before it lets others run. */
  private static final int SERVE_LIMIT = 32;

  private static final int MOST_SECONDS = 30;
  private static final long MOST_NANOS = MOST_SECONDS * 1_000_000_000L;

  private final Dispatcher dispatcher;
  private final int limit;
  private final ArrayDeque<MemoryWaiter> waiters = new ArrayDeque<>();
  private Runnable pressure = () -> {};
  private boolean pressing;
  private boolean scheduled;
  private boolean serving;
  private long parked;
  private long refused;

  /** Since when the first one is the first. */
  private long firstSinceNanos;

  /** Runs while somebody waits. */
  private Dispatcher.@Nullable Timer timer;

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
    if (waiters.size() == 1) {
      firstSinceNanos = dispatcher.upcallNanos();
      timer = dispatcher.schedule(MOST_NANOS, this::refuseLate);
    }
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
    for (int left = waiters.size(); left > 0; left--) {
      refuseFirst(why);
    }
  }

  private void refuseFirst(Failure why) {
    MemoryWaiter waiter = waiters.getFirst();
    leave();
    dispatcher.recorder().serving(waiter.asker(), refusal(waiter, why));
  }

  private void refuseLate() {
    long leftNanos = firstSinceNanos + MOST_NANOS - dispatcher.upcallNanos();
    if (leftNanos > 0) {
      timer = dispatcher.schedule(leftNanos, this::refuseLate);
      return;
    }
    timer = dispatcher.schedule(MOST_NANOS, this::refuseLate);
    refused++;
    refuseFirst(
        new Failure.Busy("buffer memory: nobody was served for " + MOST_SECONDS + " seconds"));
    memoryMayBeFree();
  }

  /** The first one waits no longer. */
  private void leave() {
    waiters.removeFirst();
    firstSinceNanos = dispatcher.upcallNanos();
    Dispatcher.Timer running = timer;
    if (waiters.isEmpty() && running != null) {
      timer = null;
      running.cancel();
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
        leave();
      }
    }
    dispatcher.recorder().serve(FlightRecorder.NOBODY);
    if (progress) {
      memoryMayBeFree();
    }
  }
}
