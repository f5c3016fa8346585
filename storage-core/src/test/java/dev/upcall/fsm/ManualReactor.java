package dev.upcall.fsm;

import dev.upcall.base.ManualClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A reactor under a test's hand: it records its calls, and waiting moves the clock. */
public final class ManualReactor implements Reactor {
  public final List<String> calls = new ArrayList<>();
  final ArrayDeque<Runnable> arrived = new ArrayDeque<>();
  private final ManualClock clock;
  private Dispatcher dispatcher;
  public long lastTimeoutNanos = -1;
  public int wakeups;
  boolean submissionDue;
  boolean durableWriteInFlight;
  boolean durableWriteQueued;

  /** What happens elsewhere during each reap; a wake-up that comes then is taken by it. */
  Runnable whileReaping = () -> {};

  /** What happens elsewhere during each wait. */
  public Runnable whileAwaiting = () -> {};

  private final HeapRoom heapRoom;

  public ManualReactor(ManualClock clock) {
    this(clock, HeapRoom.PLENTY);
  }

  ManualReactor(ManualClock clock, HeapRoom heapRoom) {
    this.clock = clock;
    this.heapRoom = heapRoom;
  }

  @Override
  public HeapRoom heapRoom() {
    return heapRoom;
  }

  @Override
  public void attach(Dispatcher attached) {
    dispatcher = attached;
  }

  @Override
  public int reap(int limit) {
    calls.add("reap");
    whileReaping.run();
    int moved = 0;
    for (; moved < limit && !arrived.isEmpty(); moved++) {
      dispatcher.post(arrived.removeFirst());
    }
    return moved;
  }

  @Override
  public void submit() {
    calls.add("submit");
  }

  @Override
  public boolean isSubmissionDue() {
    return submissionDue;
  }

  @Override
  public boolean isDurableWriteInFlight() {
    return durableWriteInFlight;
  }

  @Override
  public boolean isDurableWriteQueued() {
    return durableWriteQueued;
  }

  @Override
  public void await(long timeoutNanos) {
    calls.add("await");
    lastTimeoutNanos = timeoutNanos;
    whileAwaiting.run();
    if (timeoutNanos != Long.MAX_VALUE) {
      clock.advance(timeoutNanos);
    }
  }

  @Override
  public void wakeup() {
    wakeups++;
  }

  @Override
  public boolean help(String what, Runnable work) {
    work.run();
    return true;
  }

  @Override
  public void awaitHelpers() {}

  @Override
  public void close() {
    calls.add("close");
  }
}
